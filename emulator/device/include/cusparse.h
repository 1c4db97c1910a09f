#error "the emulated device has no cuSPARSE (cusparse.h)"
