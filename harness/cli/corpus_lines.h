// What `harness selftest --corpus` prints: a line for each entry, with expected and actual verdict, and a summary.
#pragma once

#include "harness/corpus/corpus.h"

namespace harness {

void print_corpus(const CorpusRun& run);
void print_corpus_json(const CorpusRun& run);
/// True if every entry got its verdict, and no baseline that ran with them failed.
bool as_expected(const CorpusRun& run);

}  // namespace harness
