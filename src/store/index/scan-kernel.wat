;; The inner loops of the vector scan (scan.ts says what they are for). Addresses are bytes in the imported memory;
;; sign bits and codes of a vector are padded to whole blocks of 16 bytes. Compiled to scan-kernel.wasm by
;; `npm run kernel`; a test compiles it again and compares.
(module
  (memory (import "scan" "memory") 1)

  ;; An estimate of the dot product with each of `count` vectors: an f32 each at `out`. Per group of 512 dimensions (four
  ;; blocks; the last may have fewer) the signs that agree less those that do not, (n - 2 h) for n dimensions of which h
  ;; differ, times the vector's weight of the group (f32 at `weights`) and the query's, which comes as two numbers at
  ;; `scales`: -2 t, and n t. A vector whose byte at `live` is 0 gets -infinity. The least and the greatest estimate are
  ;; kept at `range`. Words of 64 bits, since processors count the bits of those in one instruction: with i8x16.popcnt a
  ;; million vectors took a fifth longer.
  (func (export "estimate")
    (param $bits i32) (param $weights i32) (param $count i32) (param $blocks i32) (param $query i32)
    (param $scales i32) (param $live i32) (param $out i32) (param $range i32)
    (local $end i32) (local $groups i32) (local $next i32) (local $q i32) (local $s i32)
    (local $differ i64) (local $score f32) (local $least f32) (local $most f32)
    (local.set $least (f32.load (local.get $range)))
    (local.set $most (f32.load offset=4 (local.get $range)))
    (local.set $groups (i32.shr_u (i32.add (local.get $blocks) (i32.const 3)) (i32.const 2)))
    (local.set $end (i32.add (local.get $live) (local.get $count)))
    (block $done
      (loop $vector
        (br_if $done (i32.ge_u (local.get $live) (local.get $end)))
        (local.set $next (i32.add (local.get $bits) (i32.shl (local.get $blocks) (i32.const 4))))
        (if (i32.load8_u (local.get $live))
          (then
            (local.set $q (local.get $query))
            (local.set $s (local.get $scales))
            (local.set $score (f32.const 0))
            (loop $group
              (if (i32.ge_u (i32.sub (local.get $next) (local.get $bits)) (i32.const 64))
                (then
                  (local.set $differ
                    (i64.add
                      (i64.add
                        (i64.add
                          (i64.popcnt (i64.xor (i64.load (local.get $bits)) (i64.load (local.get $q))))
                          (i64.popcnt (i64.xor (i64.load offset=8 (local.get $bits)) (i64.load offset=8 (local.get $q)))))
                        (i64.add
                          (i64.popcnt (i64.xor (i64.load offset=16 (local.get $bits)) (i64.load offset=16 (local.get $q))))
                          (i64.popcnt (i64.xor (i64.load offset=24 (local.get $bits)) (i64.load offset=24 (local.get $q))))))
                      (i64.add
                        (i64.add
                          (i64.popcnt (i64.xor (i64.load offset=32 (local.get $bits)) (i64.load offset=32 (local.get $q))))
                          (i64.popcnt (i64.xor (i64.load offset=40 (local.get $bits)) (i64.load offset=40 (local.get $q)))))
                        (i64.add
                          (i64.popcnt (i64.xor (i64.load offset=48 (local.get $bits)) (i64.load offset=48 (local.get $q))))
                          (i64.popcnt (i64.xor (i64.load offset=56 (local.get $bits)) (i64.load offset=56 (local.get $q))))))))
                  (local.set $q (i32.add (local.get $q) (i32.const 64)))
                  (local.set $bits (i32.add (local.get $bits) (i32.const 64))))
                (else
                  (local.set $differ (i64.const 0))
                  (loop $block
                    (local.set $differ
                      (i64.add (local.get $differ)
                        (i64.add
                          (i64.popcnt (i64.xor (i64.load (local.get $bits)) (i64.load (local.get $q))))
                          (i64.popcnt (i64.xor (i64.load offset=8 (local.get $bits)) (i64.load offset=8 (local.get $q)))))))
                    (local.set $q (i32.add (local.get $q) (i32.const 16)))
                    (br_if $block
                      (i32.lt_u
                        (local.tee $bits (i32.add (local.get $bits) (i32.const 16))) (local.get $next))))))
              (local.set $score
                (f32.add (local.get $score)
                  (f32.mul (f32.load (local.get $weights))
                    (f32.add (f32.load offset=4 (local.get $s))
                      (f32.mul (f32.load (local.get $s))
                        (f32.convert_i32_u (i32.wrap_i64 (local.get $differ))))))))
              (local.set $weights (i32.add (local.get $weights) (i32.const 4)))
              (local.set $s (i32.add (local.get $s) (i32.const 8)))
              (br_if $group (i32.lt_u (local.get $bits) (local.get $next))))
            (f32.store (local.get $out) (local.get $score))
            (local.set $least (f32.min (local.get $least) (local.get $score)))
            (local.set $most (f32.max (local.get $most) (local.get $score))))
          (else
            (f32.store (local.get $out) (f32.const -inf))
            (local.set $bits (local.get $next))
            (local.set $weights (i32.add (local.get $weights) (i32.shl (local.get $groups) (i32.const 2))))))
        (local.set $live (i32.add (local.get $live) (i32.const 1)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $vector)))
    (f32.store (local.get $range) (local.get $least))
    (f32.store offset=4 (local.get $range) (local.get $most)))

  ;; Count estimates into bins (u32 at `bins`): bin (score - low) * perUnit. Those below low are not counted.
  (func (export "tally")
    (param $scores i32) (param $count i32) (param $low f32) (param $perUnit f32) (param $bins i32)
    (local $end i32) (local $score f32) (local $bin i32)
    (local.set $end (i32.add (local.get $scores) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $scores) (local.get $end)))
        (local.set $score (f32.load (local.get $scores)))
        (if (f32.ge (local.get $score) (local.get $low))
          (then
            (local.set $bin
              (i32.add (local.get $bins)
                (i32.shl
                  (i32.trunc_sat_f32_u
                    (f32.mul (f32.sub (local.get $score) (local.get $low)) (local.get $perUnit)))
                  (i32.const 2))))
            (i32.store (local.get $bin) (i32.add (i32.load (local.get $bin)) (i32.const 1)))))
        (local.set $scores (i32.add (local.get $scores) (i32.const 4)))
        (br $next))))

  ;; The numbers (u32 at `out`) of those that `tally` puts into `bin` or above; gives how many.
  (func (export "above")
    (param $scores i32) (param $count i32) (param $low f32) (param $perUnit f32) (param $bin i32) (param $out i32)
    (result i32)
    (local $at i32) (local $start i32) (local $score f32)
    (local.set $start (local.get $out))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $count)))
        (local.set $score (f32.load (local.get $scores)))
        (if (f32.ge (local.get $score) (local.get $low))
          (then
            (if
              (i32.ge_u
                (i32.trunc_sat_f32_u
                  (f32.mul (f32.sub (local.get $score) (local.get $low)) (local.get $perUnit)))
                (local.get $bin))
              (then
                (i32.store (local.get $out) (local.get $at))
                (local.set $out (i32.add (local.get $out) (i32.const 4)))))))
        (local.set $scores (i32.add (local.get $scores) (i32.const 4)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $out) (local.get $start)) (i32.const 2)))

  ;; The dot product (i32) of an i16 query with a row of i8 codes, `blocks` blocks of 16.
  (func (export "dot")
    (param $row i32) (param $blocks i32) (param $query i32) (result i32)
    (local $codes v128) (local $sum v128)
    (loop $next
      (local.set $codes (v128.load (local.get $row)))
      (local.set $sum
        (i32x4.add (local.get $sum)
          (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $codes)) (v128.load (local.get $query)))
            (i32x4.dot_i16x8_s
              (i16x8.extend_high_i8x16_s (local.get $codes)) (v128.load offset=16 (local.get $query))))))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (local.set $query (i32.add (local.get $query) (i32.const 32)))
      (br_if $next (local.tee $blocks (i32.sub (local.get $blocks) (i32.const 1)))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum))))))
