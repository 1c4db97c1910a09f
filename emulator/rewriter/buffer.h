// Growing arrays on malloc: the worker has no C++ library to take them from. Nothing recovers from a lack of
// memory or from a wrong index.
#pragma once

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace harness {

template <class T>
class List {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  List() = default;
  List(const List&) = delete;
  List& operator=(const List&) = delete;
  ~List() { std::free(first_); }

  void push(const T& value) { add(&value, 1); }
  void add(const T* values, size_t count) {
    if (size_ + count > room_) {
      room_ = 2 * (size_ + count);
      first_ = static_cast<T*>(std::realloc(static_cast<void*>(first_), room_ * sizeof(T)));
      if (!first_) std::abort();
    }
    if (count > 0) std::memcpy(static_cast<void*>(first_ + size_), values, count * sizeof(T));
    size_ += count;
  }
  void pop() { --size_; }
  void clear() { size_ = 0; }
  size_t size() const { return size_; }
  T& operator[](size_t i) { return first_[checked(i)]; }
  const T& operator[](size_t i) const { return first_[checked(i)]; }
  T& back() { return first_[checked(size_ - 1)]; }

 private:
  size_t checked(size_t i) const {
    if (i >= size_) std::abort();
    return i;
  }

  T* first_ = nullptr;
  size_t size_ = 0, room_ = 0;
};

class Text {
 public:
  Text& operator<<(std::string_view s) {
    bytes_.add(s.data(), s.size());
    return *this;
  }
  Text& operator<<(char c) {
    bytes_.push(c);
    return *this;
  }
  void clear() { bytes_.clear(); }
  std::string_view view() const { return {bytes_.size() > 0 ? &bytes_[0] : "", bytes_.size()}; }

 private:
  List<char> bytes_;
};

}  // namespace harness
