#error "the emulated device has no driver interface (cuda.h): use the runtime"
