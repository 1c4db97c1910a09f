// oneDNN: the vendor library of the convolution on the CPU, f32 only.
//
// Its fastest kernels want the channels of a pixel side by side. So it chooses its layouts, and the timed call copies
// the image, the filters and the result. In the layout of the problem it takes twice as long with 3 channels and 1
// filter, and 1.3 times as long with 64 and 64. (Measured on an AMD Zen 5 with oneDNN 2.6.)
//
// oneDNN writes the code of a convolution when it first sees its sizes. That plan is kept, the data is not.
//
// What limits it: with few channels the copies and vectors that are mostly empty; with many the multiply-adds.
#include <cstring>
#include <dnnl.hpp>
#include <memory>
#include <string>

#include "lab/conv2d.h"

LAB_NEEDS(onednn);

using Memory = dnnl::memory;

/// A tensor as the problem has it and as the convolution wants it. They are the same if it wants the same.
class Tensor {
 public:
  Tensor(const dnnl::engine& engine, const Memory::desc& plain, const Memory::desc& wanted)
      : plain_(plain, engine, nullptr), own_(plain == wanted ? plain_ : Memory(wanted, engine)) {}
  void set(const float* data) { plain_.set_data_handle(const_cast<float*>(data)); }
  const Memory& wanted() const { return same() ? plain_ : own_; }
  void copy_in(dnnl::stream& s) {
    if (!same()) dnnl::reorder(plain_, own_).execute(s, plain_, own_);
  }
  void copy_out(dnnl::stream& s) {
    if (!same()) dnnl::reorder(own_, plain_).execute(s, own_, plain_);
  }

 private:
  bool same() const { return plain_.get_desc() == own_.get_desc(); }
  Memory plain_, own_;
};

class Plan {
 public:
  explicit Plan(const lab::Conv2d<float>& c) : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
    const Memory::dims dims[] = {{c.batch, c.channels, c.height, c.width},
                                 {c.filters, c.channels, c.filter_height, c.filter_width},
                                 {c.batch, c.filters, c.out_height, c.out_width}};
    Memory::desc plain[3], wanted[3];
    for (int i = 0; i < 3; ++i) {
      plain[i] = {dims[i], Memory::data_type::f32, Memory::format_tag::abcd};
      wanted[i] = {dims[i], Memory::data_type::f32, Memory::format_tag::any};
    }
    // oneDNN wants the padding that is really used at the far edges.
    const auto far = [&](int64_t out, int64_t filter, int64_t edge) {
      return (out - 1) * c.stride + filter - edge - c.padding;
    };
    const dnnl::convolution_forward::desc what(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, wanted[0], wanted[1], wanted[2],
        {c.stride, c.stride}, {c.padding, c.padding},
        {far(c.out_height, c.filter_height, c.height), far(c.out_width, c.filter_width, c.width)});
    const dnnl::convolution_forward::primitive_desc chosen(what, engine_);
    name_ = chosen.impl_info_str();
    convolution_ = dnnl::convolution_forward(chosen);
    input_ = std::make_unique<Tensor>(engine_, plain[0], chosen.src_desc());
    filter_ = std::make_unique<Tensor>(engine_, plain[1], chosen.weights_desc());
    output_ = std::make_unique<Tensor>(engine_, plain[2], chosen.dst_desc());
  }

  void run(const lab::Conv2d<float>& c) {
    input_->set(c.input);
    filter_->set(c.filter);
    output_->set(c.output);
    input_->copy_in(stream_);
    filter_->copy_in(stream_);
    convolution_.execute(
        stream_,
        {{DNNL_ARG_SRC, input_->wanted()}, {DNNL_ARG_WEIGHTS, filter_->wanted()}, {DNNL_ARG_DST, output_->wanted()}});
    output_->copy_out(stream_);
    stream_.wait();
  }
  const std::string& name() const { return name_; }

 private:
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::convolution_forward convolution_;
  std::unique_ptr<Tensor> input_, filter_, output_;
  std::string name_;
};

static lab::Conv2d<float> planned;
static std::unique_ptr<Plan> plan;

static Plan& plan_for(lab::Conv2d<float> c) {
  c.input = c.filter = c.output = nullptr;
  c.workspace = nullptr;
  if (!plan || std::memcmp(&c, &planned, sizeof c) != 0) {
    plan = std::make_unique<Plan>(c);
    planned = c;
  }
  return *plan;
}

LAB_CONV2D_CPU(float)(const lab::Conv2d<float>& c) { plan_for(c).run(c); }

LAB_ABOUT() {
  static const std::string about = [] {
    const dnnl::version_t& v = *dnnl::version();
    return "oneDNN " + std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch);
  }();
  return about.c_str();
}
LAB_CHOICE() { return plan ? plan->name().c_str() : nullptr; }
