#!/bin/bash
# On a machine with an NVIDIA GPU: what compute-sanitizer says of every planted bug and every GPU variant, and what ncu
# counts. Writes sanitizer.txt and counters.csv into the folder given. PATTERN selects variants by name;
# a tool gets SECONDS.
#   emulator/agreement/on_device.sh OUT [both|sanitizer|counters] [PATTERN [SECONDS]]
set -u
out=$1 what=${2:-both} pattern=${3:-.} seconds=${4:-100}
cd "$(dirname "$0")/../.."
export PATH=/usr/local/cuda/bin:$PATH
work=$(mktemp -d)
arch=sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)
flags="-std=c++20 -O3 -lineinfo -Xcompiler=-fPIC -Ilabs"
nvcc $flags -arch="$arch" -c labs/device/device_cuda.cu -o "$work/device.o" || exit 1
g++ -std=c++20 -O2 -Ilabs emulator/agreement/drive.cpp -o "$work/drive" -ldl || exit 1

build() {  # source, name, macros
  local source=$1 name=$2
  shift 2
  [[ $name =~ $pattern ]] || return 0
  local libs=""
  grep -q 'LAB_NEEDS(.*cublas' "$source" && libs=-lcublas
  grep -q 'LAB_NEEDS(.*cudnn' "$source" && libs=-lcudnn
  local target=-arch=$arch
  grep -q 'LAB_NEEDS(.*wgmma' "$source" && target="-gencode=arch=compute_${arch#sm_}a,code=${arch}a"
  nvcc $flags $target "$@" -c "$source" -o "$work/$name.o" 2> "$work/$name.log" &&
    nvcc -shared -arch="$arch" -cudart=static -o "$work/$name.so" "$work/$name.o" "$work/device.o" $libs ||
    echo "$name does not build: $(head -1 "$work/$name.log")"
}
for f in emulator/planted/*.cu; do build "$f" "planted-$(basename "$f" .cu)" & done
for f in labs/gemm/gpu_*.cu; do
  for block in 8 16 32; do
    grep -q 'ifndef BLOCK$' "$f" && build "$f" "$(basename "$f" .cu)-$block" -DBLOCK=$block &
  done
  grep -q 'ifndef BLOCK$' "$f" || build "$f" "$(basename "$f" .cu)" &
done
for f in labs/conv2d/gpu_*.cu; do build "$f" "conv2d-$(basename "$f" .cu)" & done
wait
shape() { case $1 in conv2d-*) echo "$2 $3 ${4:-3}" ;; *) echo "$2 $3 ${5:-$2}" ;; esac; }  # height width channels, m n k
names=$(cd "$work" && ls ./*.so | sed 's|./||; s|\.so$||')

sanitize() {
  local name=$1 tool=$2
  [ "$name" = planted-endless ] && { echo "## $name $tool"; echo "not run: it never ends"; return; }
  local said
  said=$(cd "$work" && timeout "$seconds" compute-sanitizer --tool "$tool" --print-limit 2 --launch-timeout 30 ./drive "./$name.so" $(shape "$name" 41 37 5 43) 2>&1)
  echo "## $name $tool"
  echo "$said" | grep -E "=====|wrong|error" | grep -v -E "Saved host|Host Frame|COMPUTE-SANITIZER|^=========\s*$" | head -14
}
if [ "$what" != counters ]; then
  for name in $names; do
    for tool in memcheck racecheck initcheck synccheck; do echo "$name $tool"; done
  done > "$work/jobs"
  export -f sanitize shape
  export work seconds
  xargs -P 6 -L 1 bash -c 'sanitize "$0" "$1" > "$work/said-$0-$1"' < "$work/jobs"
  cat "$work"/said-* > "$out/sanitizer.txt"
fi

if [ "$what" != sanitizer ]; then
  metrics=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
  metrics+=,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
  metrics+=,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
  metrics+=,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
  metrics+=,smsp__inst_executed_op_shared_ld.sum,smsp__inst_executed_op_shared_st.sum
  metrics+=,smsp__sass_inst_executed_op_global_ld.sum,smsp__sass_inst_executed_op_global_st.sum
  for name in $names; do
    case $name in
      planted-threads_down_columns | planted-transposed_tile | planted-every_second_lane | gpu_* | conv2d-*) ;;
      *) continue ;;
    esac
    (cd "$work" && ncu --clock-control none --csv --metrics "$metrics" ./drive "./$name.so" $(shape "$name" 128 128) 2>&1 |
      grep '^"' | sed "s|^|\"$name\",|")
  done > "$out/counters.csv"
fi
rm -r "$work"
