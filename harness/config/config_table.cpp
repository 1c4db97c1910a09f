#include "harness/config/config_table.h"

#include <fmt/format.h>

#include "harness/check/check.h"
#include "harness/config/metric_table.h"

namespace harness {
namespace {

using namespace schema;

Schema words_or_list(Schema entry) { return either({entry, list_of_distinct(entry, 1)}); }
Schema globs() { return list_of_distinct(text(), 1); }
Schema metric() { return word(metric_names()); }
Schema dtype() { return word({std::begin(Spelling<Dtype>::words), std::end(Spelling<Dtype>::words)}); }
/// Libraries libNAME*.so* that `forbid` may name.
Schema library() {
  return word({"armpl", "atlas", "blas", "blis", "cublas", "cudnn", "cufft", "cusolver", "cusparse", "cutensor", "dnnl",
               "gfortran", "gsl", "hipblas", "lapack", "mkl", "MIOpen", "openblas", "rocblas"});
}
Schema condition() { return words_or_list(axis_value()); }

Schema axis_name() { return text_like("[A-Za-z][A-Za-z0-9_]*", "an axis name, made of letters, digits and \"_\""); }

Schema axis_values() {
  const Schema tuple = map_with("tuple", {}, axis_name(), axis_value());
  return list(either({axis_value_or_range(), tuple}), 1);
}

Schema axis() {
  const Schema values = either({axis_value_or_range(), axis_values()});
  const Schema limited =
      map_with("axis",
               {
                   optional("values", "the values of the axis; needs \"only\"", values),
                   optional("only", "variants (names or globs) that have this axis; needs \"values\"", globs()),
               },
               text(), values);
  return either({axis_value_or_range(), axis_values(), limited});
}

Schema axes() { return map_with("axes", {}, axis_name(), axis()); }
Schema zip() {
  return map_with("zip", {}, axis_name(), either({axis_value_or_range(), list(axis_value_or_range(), 1)}));
}
Schema fixed() { return map_with("set", {}, axis_name(), axis_value()); }

Schema excluded() {
  return map_with("exclude",
                  {
                      optional("variant", "name or glob; without it: any variant", text()),
                      required("reason", "why; the report shows it", text()),
                  },
                  axis_name(), words_or_list(axis_value_or_range()));
}

Schema included() {
  return map_with("include", {required("variant", "name or glob", text())}, axis_name(), axis_value());
}

Schema sweep() {
  return map("sweep",
             {
                 required("name", "name of the sweep, for tables and --sweep",
                          text_like("[A-Za-z0-9_-]+", "a name of letters, digits, \"_\" and \"-\"")),
                 required("variants", "names or globs of the variants to compare", globs()),
                 optional("axes",
                          "what varies, as a product: a value, a list, a range (\"128:2048:*2\", "
                          "\"8:64:+8\"), a list of maps "
                          "(atomic tuples), {values, only} for some variants, or values a variant ({gpu_naive: 8, "
                          "gpu_s*: [16, 32]}). Upper-case names are macros "
                          "of the build, "
                          "threads is the number of CPU threads, all others are parameters of the kernel",
                          axes()),
                 optional("zip", "axes that change together: lists or ranges of equal length", zip()),
                 optional("set", "one value for all cases of the sweep", fixed()),
                 optional("dtype", "element type, if it is not that of the file", dtype()),
                 optional("exclude", "points that are not run, with the reason", list(excluded())),
                 optional("include", "points that are added after exclude", list(included())),
             });
}

Schema measure() {
  const MeasurePolicy p;
  return map(
      "measure",
      {
          optional("precision", "half width of the 95 % interval of the median at which measuring stops", ratio(),
                   fmt::format("{}%", p.precision * 100)),
          optional("max_time", "longest time for the samples of one case", duration(),
                   fmt::format("{}s", p.max_time_s)),
          optional("min_batch", "calls are timed in batches of at least this length, fresh data included",
                   duration(), fmt::format("{}ms", p.min_batch_ms)),
          optional("min_samples", "fewest samples of a case", whole_number(1, 1'000'000), p.min_samples),
          optional("max_samples", "most samples of a case", whole_number(1, 1'000'000), p.max_samples),
          optional("drop_slower",
                   "end cases early that are clearly slower than the fastest of their group: at 8, 16, 32, ... samples at "
                   "most half of them, and none whose interval overlaps that of the fastest",
                   truth(), p.drop_slower),
          optional("cpu_cache",
                   "CPU: where a call finds its fresh inputs, in the cache that the cores share or (cold) in memory",
                   word({"fresh", "cold"}), "fresh"),
          optional("gpu_cache", "GPU: cold flushes the L2 cache before each call", word({"cold", "hot"}), "cold"),
      });
}

Schema resources() {
  const Resources l;
  return map(
      "resources",
      {
          optional("build_time", "limit for one compiler run", duration(), fmt::format("{}s", l.build_s)),
          optional("case_time", "limit for one call of the variant; all shapes of its check together get as long, but at least 60 s",
                   duration(), fmt::format("{}s", l.case_s)),
          optional("memory",
                   "private memory of the variant, in addition to the buffers of the problem and of a library; on the CPU, addresses "
                   "that it maps and never uses count too",
                   bytes("1MiB"), fmt::format("{}MiB", l.memory_mib)),
          optional("processes", "processes and threads of the variant, in addition to the threads of the case",
                   whole_number(1, 100'000), l.processes),
          optional("file_size", "largest file a variant may write", bytes("1MiB"), fmt::format("{}MiB", l.file_mib)),
          optional("output_size", "how much of a variant's output is kept", bytes("1KiB"),
                   fmt::format("{}KiB", l.output_kib)),
      });
}

Schema flags() {
  return map("flags", {
                          optional("cxx", "for CPU variants", list(text())),
                          optional("gpu", "for GPU variants", list(text())),
                      });
}

Schema container() {
  const Schema mapped =
      map("container",
          {
              optional("program", "the program that starts it", word({"podman", "docker", "apptainer"}), "podman"),
              optional("image", "name of the image; for apptainer a file", text(), "localhost/harness-cpu"),
              optional("mounts", "folders of this machine that the container sees, read-only: for example a toolkit",
                       list_of_distinct(text_like("/.*", "a path that begins with \"/\""), 1)),
          });
  return either({text(), mapped});
}

Schema where() {
  return map_with("where", {optional("variant", "names or globs", words_or_list(text()))}, axis_name(), condition());
}

Schema report_table() {
  return map("table", {
                          required("title", "heading", text()),
                          required("sweep", "the sweep whose cases it shows", text()),
                          required("rows", "variant, metric, threads or an axis; several: a row for each combination",
                                   words_or_list(text())),
                          required("columns", "the same for columns", words_or_list(text())),
                          optional("value", "the metric in the cells", metric()),
                          optional("values", "several metrics; then metric is one of rows or columns",
                                   list_of_distinct(metric(), 1)),
                          optional("where", "shows only cases with these values", where()),
                          optional("caption", "a sentence below the table", text()),
                          optional("published", "shows published figures beside ours", truth(), true),
                      });
}

Schema plot() {
  return map("plot", {
                         required("title", "heading", text()),
                         required("sweep", "the sweep whose cases it shows", text()),
                         required("kind", "form of the plot", word({"lines", "bars", "heatmap", "roofline"})),
                         optional("x", "variant, metric, threads or an axis", text()),
                         optional("y", "metrics; of a heatmap: an axis", words_or_list(text())),
                         optional("series", "a line or a group of bars for each: variant, metric, threads or an axis",
                                  words_or_list(text())),
                         optional("value", "heatmap: the metric in the cells", metric()),
                         optional("where", "shows only cases with these values", where()),
                         optional("log", "axes with a logarithmic scale", list_of_distinct(word({"x", "y"}))),
                         optional("caption", "a sentence below the plot", text()),
                     });
}

Schema csv_column() { return text_like("[^,]+", "a column of the CSV file"); }

Schema column() {
  return map("column", {
                           optional("metric", "a metric of the case; the file has its median", metric()),
                           optional("unit", "another unit for the metric: s for a time in ms", text()),
                           optional("parameter", "a parameter of the kernel that is not an axis", text()),
                       });
}

Schema exported() {
  const Schema source = either({text(), column()});
  return map("export",
             {
                 required("name", "its name for harness export --table",
                          text_like("[A-Za-z0-9_-]+", "a name of letters, digits, \"_\" and \"-\"")),
                 required("sweep", "the sweep whose cases it shows, one per row", text()),
                 required("columns",
                          "metrics, axes, variant, dtype, device, threads or status; or a map from "
                          "column to content",
                          either({list_of_distinct(text(), 1), map_with("columns", {}, csv_column(), source)})),
             });
}

Schema example() {
  const Schema matrix = list(list(whole_number(-1000, 1000), 1), 1);
  return map("example", {
                            required("input", "a small matrix, a list of rows", matrix),
                            required("filter", "a small matrix, a list of rows", matrix),
                            optional("channels", "so many images, and as many filters, are below each other in these rows",
                                     whole_number(1, 16), 1),
                            optional("stride", "steps between outputs; several: an output for each",
                                     either({whole_number(1, 100), list_of_distinct(whole_number(1, 100), 1)}), 1),
                            optional("padding", "zeros around the input", whole_number(0, 100), 0),
                        });
}

Schema report() {
  return map("report", {
                           optional("tables", "tables, in the order of the report", list(report_table())),
                           optional("plots", "plots, in the order of the report", list(plot())),
                           optional("exports", "files that harness export writes from a sweep", list(exported())),
                           optional("language", "of the report, of feedback and of the handout: en, or a catalogue in languages/",
                                    text_like("[A-Za-z_-]+", "a name such as zh_CN"), "en"),
                           optional("example", "a two-dimensional cross-correlation, or a list of them, shown with their outputs",
                                    either({example(), list(example(), 1)})),
                       });
}

Schema time_unit() { return word({"s", "ms", "us", "ns"}); }

Schema recorded() {
  return map("recorded baseline",
             {
                 required("file", "CSV file, relative to the config; a column dtype needs no mapping", text()),
                 required("axes",
                          "map from CSV column to axis. A case without a row has no speedup over the recorded baseline",
                          map_with("axes", {}, csv_column(), text())),
                 required("value", "the column of the times", csv_column()),
                 optional("unit", "unit of that column", time_unit(), "ms"),
                 required("source", "where the times come from; the report shows it", text()),
             });
}

Schema device() {
  return map("device",
             {
                 required("max_warps", "warps (wavefronts) that it can hold at once", whole_number(1, 10'000'000)),
                 required("lanes", "lanes of a warp", whole_number(1, 1024)),
             });
}

Schema published() {
  const Schema value =
      map("value", {
                       required("metric", "what the column holds", metric()),
                       required("unit", "unit of the column, if it is not the unit of the metric", time_unit()),
                   });
  const Schema mapped = map(
      "published table",
      {
          required("file", "CSV file, relative to the config; its columns variant and dtype need no mapping", text()),
          optional("sweep", "the sweep it belongs to; without it: any that matches", text()),
          optional("axes", "CSV column: axis", map_with("axes", {}, csv_column(), text())),
          optional("values", "CSV column: metric, or {metric, unit} for times in another unit",
                   map_with("values", {}, csv_column(), either({metric(), value}))),
          optional("where", "takes only rows with these fields. CSV column: field or fields",
                   map_with("where", {}, csv_column(), condition())),
          optional("variants", "map from printed name to our name, where they differ",
                   map_with("variants", {}, text(), text())),
          optional("machine", "where the figures come from", text()),
          optional("note", "what a reader must know about them", text()),
      });
  return either({text(), mapped});
}

Schema claim_of_report() {
  return map("claim", {
                          required("claim", "the sentence: see docs/claims.md", text()),
                          required("sweep", "the sweep of its cases", text()),
                          required("source", "where the report says it: \"table 2\"", text()),
                          optional("stated", "the report's own number, where it has no published figures", text()),
                      });
}

Schema executor() {
  return map("executor",
             {
                 optional("partition", "the partition of the cluster", text()),
                 optional("gres", "generic resources of a job, for example gpu:1", text()),
                 optional("time", "the longest time of one job", duration()),
                 optional("account", "who pays", text()),
                 optional("constraint", "features that a node must have", text()),
                 optional("submissions_per_job", "submissions that one job runs, one after the other",
                          whole_number(1, 100'000), 10),
                 optional("sbatch", "further options of sbatch, passed on as they are",
                          list_of_distinct(text_like("--[a-z].*", "an option that begins with \"--\""), 1)),
             });
}

Schema config() {
  return map(
      "config",
      {
          required("lab", "name of the lab: folder of its results",
                   text_like("[a-z0-9_-]+", "a name of a-z, 0-9, \"_\" and \"-\"")),
          optional("title", "title of the report; without it: the lab's name", text(200)),
          optional("about", "text for the first page of the report", text(20'000)),
          required("kernel", "what the variants compute: a folder of labs/", text()),
          optional("dtype", "element type", dtype(), to_string(Config{}.dtype)),
          optional("baseline", "the variant that speedups are relative to", text()),
          optional("vendor", "the variants that percent_of_vendor is relative to, on their own device and of their own precision",
                   words_or_list(text())),
          optional("forbid", "libraries that only the vendor's variants may load, each by its own name: blas does not forbid openblas", words_or_list(library())),
          optional("least_shapes", "the smallest share of the check shapes that a variant must support; without it: one shape",
                   share()),
          optional("allowed_precisions", "what a submission may declare with LAB_PRECISION; without it: anything, or if there is "
                   "\"grade\", what the lab's own variant of that name declares",
                   words_or_list(word(precision_names()))),
          optional("recorded_baseline", "times from elsewhere that speedup_recorded is relative to", recorded()),
          optional("device", "the GPU that occupancy is relative to; without it: the GPU of this machine", device()),
          required("sweeps", "what is run", list(sweep(), 1)),
          optional("measure", "how times are taken", measure()),
          optional("resources", "what a variant may use", resources()),
          optional("flags", "compiler flags, added to the defaults", flags()),
          optional("sandbox", "the sandbox for untrusted code; harness doctor lists them", text()),
          optional("container", "the image in which compilers and variants run; a name alone means podman",
                   container()),
          optional("submissions", "shared: the students agree that bundles of this lab contain their sources",
                   word({"private", "shared"}), "private"),
          optional("report", "tables and plots of the report", report()),
          optional("published", "figures of other reports, shown beside ours", list(published())),
          optional("claims", "what the report concludes; each run answers it", list(claim_of_report())),
          optional("grade", "the rules that turn a run into points", grade_table()),
          optional("executor", "what the jobs of --executor ask for; the command line may say otherwise", executor()),
      });
}

}  // namespace

const Schema& config_table() {
  static const Schema table_of_all = config();
  return table_of_all;
}

}  // namespace harness
