"""The few machine operations numba lacks."""

from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

WORD = 64  # rows per machine word of a bit plane

# Whether the processor counts the bits of eight words at once.
VECTOR_POPCOUNT = bool(llvmlite.binding.get_host_cpu_features().get("avx512vpopcntdq"))


@intrinsic
def popcount(typingctx: Any, word: Any) -> Any:
    """Number of set bits of a 64-bit word (one machine instruction, vectorised in loops)."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


@intrinsic
def equal_mask(typingctx: Any, codes: Any, start: Any, level: Any) -> Any:
    """Bit i of the result says whether ``codes[start + i] == level``, for 64 one-byte codes.

    `codes` is one-dimensional and contiguous. LLVM turns the comparison of 64 bytes into one
    instruction (AVX-512) or a few (AVX2, SSE2, NEON).
    """
    n = WORD

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        vector = ir.VectorType(ir.IntType(8), n)
        pointer = builder.gep(array.data, [args[1]])
        block = builder.load(builder.bitcast(pointer, vector.as_pointer()), align=1)
        undefined = ir.Constant(vector, ir.Undefined)
        first = builder.insert_element(undefined, args[2], ir.Constant(ir.IntType(32), 0))
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), n), [0] * n)
        wanted = builder.shuffle_vector(first, undefined, everywhere)
        return builder.bitcast(builder.icmp_unsigned("==", block, wanted), ir.IntType(64))

    return types.uint64(codes, types.intp, types.uint8), generate
