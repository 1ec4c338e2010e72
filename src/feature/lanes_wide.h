// SPDX-License-Identifier: GPL-3.0-or-later
// What AVX2 and AVX-512 call by the same name: MM(name) is the intrinsic for the width of the registers, M
// makes its arguments.
#ifndef TETRALAB_FEATURE_LANES_WIDE_H
#define TETRALAB_FEATURE_LANES_WIDE_H

#define OF_TWO(Type, name, From, intrinsic)                                                                  \
    INLINE Type name(From a, From b) {                                                                       \
        return (Type)MM(intrinsic)(M(a), M(b));                                                              \
    }
OF_TWO(V, v_max, V, max_epu16)
OF_TWO(V, v_min, V, min_epu16)
OF_TWO(V, v_max_signed, V, max_epi16)
OF_TWO(V, v_min_signed, V, min_epi16)
OF_TWO(V, v_minus, V, subs_epu16)
OF_TWO(V, zip_16_low, V, unpacklo_epi16)
OF_TWO(V, zip_16_high, V, unpackhi_epi16)
OF_TWO(V, zip_32_low, V, unpacklo_epi32)
OF_TWO(V, zip_32_high, V, unpackhi_epi32)
OF_TWO(V, zip_64_low, V, unpacklo_epi64)
OF_TWO(V, zip_64_high, V, unpackhi_epi64)
OF_TWO(S, s_max, S, max_epi32)
OF_TWO(S, s_min, S, min_epi32)
#undef OF_TWO

INLINE V v_lookup(const LaneTable table, V index) {
    return (V)MM(shuffle_epi8)(M(v_load(table)), M(index));
}
#define v_lookup_4 v_lookup
INLINE S s_set(int32_t a) {
    return (S)MM(set1_epi32)(a);
}

#endif
