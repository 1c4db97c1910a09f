// What `harness selftest --corpus` prints: the matrix of entries, expected and got, and its sum.
#pragma once

#include "harness/engine/corpus.h"

namespace harness {

void print_corpus(const CorpusRun& run);
void print_corpus_json(const CorpusRun& run);
/// Did every entry get its verdict, and none that ran beside them a wrong one?
bool as_expected(const CorpusRun& run);

}  // namespace harness
