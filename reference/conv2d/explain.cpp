// Names a mistake: it computes the output that each known mistake would give and compares it with the wrong
// output. "Equals a convolution with the flipped filter" helps a student more than a list of wrong cells.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reference/common/mistakes.h"
#include "reference/common/rounding.h"
#include "reference/conv2d/problem.h"

namespace harness::conv2d {

namespace {

/// One product of a cell: indices of the filter (c, r, s) and of the image (line, column); a mistake changes
/// some of them.
struct Term {
  int64_t image, filter, image_channel, filter_channel, r, s, line, column;
};

template <class T>
class Explainer {
 public:
  Explainer(const Conv2d& p, const ConstHostBuffers& inputs, const std::byte* got)
      : p_(p),
        s_(p.shape()),
        input_(matrix<T>(p, inputs, 0)),
        filter_(matrix<T>(p, inputs, 1)),
        old_(matrix<T>(p, inputs, 2)),
        compared_(p, inputs, got) {}

  std::optional<std::string> sentence() const {
    for (const std::vector<Mistake>& group : {filters(), channels(), offsets(), borders(), formats(), ends()})
      for (const Mistake& mistake : group)
        if (compared_.fits(mistake)) return fmt::format("every cell {}", mistake.sentence);
    return std::nullopt;
  }

 private:
  bool inside(const Term& t) const { return p_.rows().inside(t.line) && p_.columns().inside(t.column); }
  double I(const Term& t) const {
    if (!inside(t)) return 0;
    return static_cast<double>(
        input_.at((t.image * s_.channels + t.image_channel) * s_.height + t.line, t.column));
  }
  double F(const Term& t) const {
    return static_cast<double>(
        filter_.at((t.filter * s_.channels + t.filter_channel) * s_.filter_height + t.r, t.s));
  }

  /// Sum of product(term) over the taps of a cell.
  template <class Product>
  Predicted sum(Cell cell, Product product) const {
    const OutputPixel at = p_.output_pixel(cell);
    Predicted all;
    for (int64_t c = 0; c < s_.channels; ++c)
      for (int64_t r = 0; r < s_.filter_height; ++r)
        for (int64_t s = 0; s < s_.filter_width; ++s) {
          const double x = product(
              Term{at.image, at.filter, c, c, r, s, p_.rows().under(at.y, r), p_.columns().under(at.x, s)});
          all.value += x;
          all.scale += std::abs(x);
        }
    return all;
  }

  /// A mistake that uses wrong indices: `change` gets a Term& and the OutputPixel, and changes the Term.
  template <class Change>
  Mistake with(std::string sentence, Change change) const {
    return {std::move(sentence), [=, this](int64_t row, int64_t col) {
              return sum({row, col}, [&](Term t) {
                change(t, p_.output_pixel({row, col}));
                return I(t) * F(t);
              });
            }};
  }

  /// A mistake that leaves out all terms for which `keep` returns false.
  template <class Keep>
  Mistake without(std::string sentence, Keep keep) const {
    return {std::move(sentence), [=, this](int64_t row, int64_t col) {
              return sum({row, col}, [&](const Term& t) { return keep(t) ? I(t) * F(t) : 0; });
            }};
  }

  std::vector<Mistake> filters() const {
    const int64_t R = s_.filter_height, S = s_.filter_width;
    std::vector<Mistake> all;
    all.push_back(with("is as if the filter were turned round: cross-correlation does not flip it",
                       [=](Term& t, const OutputPixel&) { t.r = R - 1 - t.r, t.s = S - 1 - t.s; }));
    if (R == S)
      all.push_back(with("is as if the filter were transposed: are its indices r and s swapped?",
                         [](Term& t, const OutputPixel&) { std::swap(t.r, t.s); }));
    all.push_back(with("is as if the rows of the filter were in reverse order",
                       [=](Term& t, const OutputPixel&) { t.r = R - 1 - t.r; }));
    all.push_back(with("is as if the columns of the filter were in reverse order",
                       [=](Term& t, const OutputPixel&) { t.s = S - 1 - t.s; }));
    all.push_back(with("is computed with filter 0: is the index of the filter used?",
                       [](Term& t, const OutputPixel&) { t.filter = 0; }));
    if (s_.filters > 1 && s_.channels > 1)
      all.push_back(
          {"is as if the filters lay channel by channel: are the indices of filter and channel swapped?",
           [this](int64_t row, int64_t col) {
             return sum({row, col}, [&](Term t) {
               const int64_t plane = t.filter_channel * s_.filters + t.filter;
               t.filter = plane / s_.channels, t.filter_channel = plane % s_.channels;
               return I(t) * F(t);
             });
           }});
    return all;
  }

  std::vector<Mistake> channels() const {
    const int64_t last = s_.channels - 1;
    if (last == 0) return batches();
    std::vector<Mistake> all = batches();
    all.push_back(with("is as if all channels had the filter of channel 0: is the channel used in its index?",
                       [](Term& t, const OutputPixel&) { t.filter_channel = 0; }));
    all.push_back(with("is as if all channels of the image were channel 0: is the channel used in its index?",
                       [](Term& t, const OutputPixel&) { t.image_channel = 0; }));
    all.push_back(with("is as if the channels of the filter were in reverse order",
                       [=](Term& t, const OutputPixel&) { t.filter_channel = last - t.filter_channel; }));
    all.push_back({"is as if the channels were the last index of the image: NHWC instead of NCHW?",
                   [this](int64_t row, int64_t col) {
                     return sum({row, col}, [&](Term t) {
                       if (!inside(t)) return 0.0;
                       const int64_t offset = (t.line * s_.width + t.column) * s_.channels + t.image_channel;
                       t.column = offset % s_.width, t.line = offset / s_.width % s_.height;
                       t.image_channel = offset / (s_.width * s_.height);
                       return I(t) * F(t);
                     });
                   }});
    all.push_back(without("lacks the last channel: does the loop over channels end too early?",
                          [=](const Term& t) { return t.image_channel != last; }));
    all.push_back(without("is the sum over channel 0 only: are the channels added up?",
                          [](const Term& t) { return t.image_channel == 0; }));
    return all;
  }

  std::vector<Mistake> batches() const {
    if (s_.batch == 1) return {};
    return {with("is computed from image 0 of the batch: is the index of the image used?",
                 [](Term& t, const OutputPixel&) { t.image = 0; })};
  }

  std::vector<Mistake> offsets() const {
    const int64_t stride = s_.stride, p = s_.padding;
    std::vector<Mistake> all;
    if (stride > 1) {
      all.push_back(
          with("is as if the stride were 1: is the stride ignored?",
               [=](Term& t, const OutputPixel& at) { t.line = at.y + t.r - p, t.column = at.x + t.s - p; }));
      all.push_back(with("is as if the stride of y were 1: is the stride used only for x?",
                         [=](Term& t, const OutputPixel& at) { t.line = at.y + t.r - p; }));
      all.push_back(with("is as if the stride of x were 1: is the stride used only for y?",
                         [=](Term& t, const OutputPixel& at) { t.column = at.x + t.s - p; }));
    }
    if (p > 0) {
      all.push_back(
          with("is as if the filter began at the corner of the image: is the padding not subtracted?",
               [=](Term& t, const OutputPixel&) { t.line += p, t.column += p; }));
      // With padding 1, an index that is 1 too large gives the same numbers.
      all.push_back(with(p == 1 ? "is as if y had no padding: is the padding subtracted only from x, "
                                  "or is the row that is read 1 too large?"
                                : "is as if y had no padding: is the padding subtracted only from x?",
                         [=](Term& t, const OutputPixel&) { t.line += p; }));
      all.push_back(with(p == 1 ? "is as if x had no padding: is the padding subtracted only from y, "
                                  "or is the column that is read 1 too large?"
                                : "is as if x had no padding: is the padding subtracted only from y?",
                         [=](Term& t, const OutputPixel&) { t.column += p; }));
      if (stride > 2)
        all.push_back(with("is as if the padding were multiplied by the stride: is it subtracted after the multiplication?",
                           [=](Term& t, const OutputPixel&) { t.line -= (stride - 1) * p, t.column -= (stride - 1) * p; }));
      // With stride 2, padding times the stride gives the same numbers.
      all.push_back(with(stride == 2 ? "is as if all padding lay before the image: is it put there, or multiplied by the stride?"
                                     : "is as if all padding lay before the image: it is half before and half behind",
                         [=](Term& t, const OutputPixel&) { t.line -= p, t.column -= p; }));
      if (stride > 1)
        all.push_back(with("is as if stride and padding were ignored", [](Term& t, const OutputPixel& at) {
          t.line = at.y + t.r, t.column = at.x + t.s;
        }));
    }
    add_centred(all, 0, "is as if the filter were centred on its pixel: is half its size subtracted instead of the padding?");
    add_centred(all, 1,
                "is as if the filter, whose size is even, were centred on the pixel before: is half its size subtracted "
                "instead of the padding?");
    if (s_.height == s_.width)
      all.push_back(with("is as if the image were transposed: are its indices y and x swapped?",
                         [](Term& t, const OutputPixel&) { std::swap(t.line, t.column); }));
    else
      all.push_back({"is as if a row of the image were as long as a column: is the height used for the width?",
                     [this](int64_t row, int64_t col) {
                       return sum({row, col}, [&](Term t) {
                         if (!inside(t)) return 0.0;
                         const int64_t offset =
                             (t.image * s_.channels + t.image_channel) * s_.height * s_.width +
                             t.line * s_.height + t.column;
                         t.column = offset % s_.width, t.line = offset / s_.width % s_.height;
                         const int64_t plane = offset / s_.width / s_.height;
                         t.image_channel = plane % s_.channels, t.image = plane / s_.channels;
                         return t.image < s_.batch ? I(t) * F(t) : 0.0;
                       });
                     }});
    all.push_back({"is twice the right result: is the sum added up twice?", [this](int64_t row, int64_t col) {
                     return sum({row, col}, [&](const Term& t) { return 2 * I(t) * F(t); });
                   }});
    all.push_back({"is added to what the output held before: is the sum not set to 0 first?", [this](int64_t row, int64_t col) {
                     const Predicted right = sum({row, col}, [&](const Term& t) { return I(t) * F(t); });
                     const double old = static_cast<double>(old_.at(row, col));
                     return Predicted{right.value + old, right.scale + std::abs(old)};
                   }});
    return all;
  }

  /// For filters with an even size there are two such mistakes. For others `less` 1 is the same as 0.
  void add_centred(std::vector<Mistake>& all, int64_t less, const char* sentence) const {
    const int64_t up = (s_.filter_height - less) / 2, left = (s_.filter_width - less) / 2, p = s_.padding;
    if (up == p && left == p) return;
    all.push_back(with(sentence, [=](Term& t, const OutputPixel&) { t.line += p - up, t.column += p - left; }));
  }

  std::vector<Mistake> borders() const {
    if (s_.padding == 0) return {};
    const int64_t h = s_.height, w = s_.width;
    return {
        with("is as if the pixels at the edge were repeated beyond it: padding is 0",
             [=](Term& t, const OutputPixel&) {
               t.line = std::clamp<int64_t>(t.line, 0, h - 1);
               t.column = std::clamp<int64_t>(t.column, 0, w - 1);
             }),
        with("is as if the image went on at its other side: padding is 0",
             [=](Term& t, const OutputPixel&) {
               t.line = (t.line % h + h) % h, t.column = (t.column % w + w) % w;
             }),
        {"is right inside and 0 at the border: is the border left out?", [=, this](int64_t row, int64_t col) {
           bool whole = true;
           sum({row, col}, [&](const Term& t) {
             whole = whole && inside(t);
             return 0.0;
           });
           return whole ? sum({row, col}, [&](const Term& t) { return I(t) * F(t); }) : Predicted{};
         }}};
  }

  std::vector<Mistake> formats() const {
    std::vector<Mistake> all;
    const auto shorter = [&](int bits, const char* format) {
      const auto add = [&](std::string sentence, Rounding rounding) {
        const auto at = [=](double x) { return rounded_to(x, bits, rounding); };
        all.push_back({std::move(sentence), [=, this](int64_t row, int64_t col) {
                         return sum({row, col}, [&](const Term& t) { return at(I(t)) * at(F(t)); });
                       }});
      };
      const std::string nearest =
          fmt::format("is as if the inputs had {} significant bits: are they rounded to {}?", bits, format);
      add(nearest, Rounding::nearest_even);
      add(nearest, Rounding::nearest_away);
      add(fmt::format("is as if the inputs were cut off to {} significant bits: do they become {} without rounding?", bits, format),
          Rounding::toward_zero);
    };
    if constexpr (sizeof(T) == 8) {
      shorter(float_bits, "float");
    } else {
      shorter(tf32_bits, "TF32 or half");
      shorter(bfloat16_bits, "bfloat16");
    }
    return all;
  }

  std::vector<Mistake> ends() const {
    const int64_t r = s_.filter_height - 1, s = s_.filter_width - 1;
    if (r == 0 || s == 0) return {};
    return {without("lacks the last row of the filter: does its loop end too early?",
                    [=](const Term& t) { return t.r != r; }),
            without("lacks the last column of the filter: does its loop end too early?",
                    [=](const Term& t) { return t.s != s; }),
            without("lacks the last row and the last column of the filter: do their loops end too early?",
                    [=](const Term& t) { return t.r != r && t.s != s; })};
  }

  const Conv2d& p_;
  Shape s_;
  Matrix<const T> input_, filter_, old_;
  Comparison compared_;
};

}  // namespace

std::optional<std::string> Conv2d::explain(const ConstHostBuffers& inputs, const std::byte* got) const {
  return with_type(dtype(),
                   [&](auto type) { return Explainer<decltype(type)>(*this, inputs, got).sentence(); });
}

}  // namespace harness::conv2d
