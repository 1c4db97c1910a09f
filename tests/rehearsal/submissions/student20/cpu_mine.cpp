// gemm test
#include <cstdio>
#include <cstdlib>

void gemm(float* a, float* b, float* c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i * n + j] = 0;
      for (int kk = 0; kk < n; kk++) c[i * n + j] += a[i * n + kk] * b[kk * n + j];
    }
}

int main() {
  float *a = (float*)malloc(400), *b = (float*)malloc(400), *c = (float*)malloc(400);
  gemm(a, b, c, 10);
  printf("done\n");
}
