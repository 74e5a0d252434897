;; The inner loops of the vector scan (scan.ts says what they are for). Addresses are bytes in the imported memory;
;; vectors of sign bits and of codes are padded to whole blocks of 16 bytes. Compiled to scan-kernel.wasm by
;; `npm run kernel`; a test compiles it again and compares.
(module
  (memory (import "scan" "memory") 1)

  ;; How many bits differ between the query and each of `count` vectors of `blocks` blocks: a u16 each at `out`, and
  ;; a histogram of them (u32 by distance) added at `tally`. A vector whose byte at `live` is 0 gets 65535 and is not
  ;; counted.
  (func (export "distances")
    (param $bits i32) (param $count i32) (param $blocks i32) (param $query i32) (param $live i32) (param $out i32)
    (param $tally i32)
    (local $end i32) (local $block i32) (local $q i32) (local $sum v128) (local $distance i32) (local $bin i32)
    (local $left i32) (local $wide v128)
    (local.set $end (i32.add (local.get $live) (local.get $count)))
    (block $done
      (loop $vector
        (br_if $done (i32.ge_u (local.get $live) (local.get $end)))
        (if (i32.eqz (i32.load8_u (local.get $live)))
          (then
            (i32.store16 (local.get $out) (i32.const 65535))
            (local.set $bits (i32.add (local.get $bits) (i32.shl (local.get $blocks) (i32.const 4)))))
          (else
            (local.set $q (local.get $query))
            (local.set $block (local.get $blocks))
            (local.set $wide (v128.const i32x4 0 0 0 0))
            (loop $group
              ;; A byte lane counts at most 8 a block: 31 blocks fit before it must be widened.
              (local.set $left
                (select (local.get $block) (i32.const 31) (i32.lt_u (local.get $block) (i32.const 31))))
              (local.set $block (i32.sub (local.get $block) (local.get $left)))
              (local.set $sum (v128.const i32x4 0 0 0 0))
              (loop $next
                (local.set $sum
                  (i8x16.add (local.get $sum)
                    (i8x16.popcnt (v128.xor (v128.load (local.get $bits)) (v128.load (local.get $q))))))
                (local.set $bits (i32.add (local.get $bits) (i32.const 16)))
                (local.set $q (i32.add (local.get $q) (i32.const 16)))
                (br_if $next (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
              (local.set $wide
                (i32x4.add (local.get $wide)
                  (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $sum)))))
              (br_if $group (local.get $block)))
            (local.set $distance
              (i32.add
                (i32.add (i32x4.extract_lane 0 (local.get $wide)) (i32x4.extract_lane 1 (local.get $wide)))
                (i32.add (i32x4.extract_lane 2 (local.get $wide)) (i32x4.extract_lane 3 (local.get $wide)))))
            (i32.store16 (local.get $out) (local.get $distance))
            (local.set $bin (i32.add (local.get $tally) (i32.shl (local.get $distance) (i32.const 2))))
            (i32.store (local.get $bin) (i32.add (i32.load (local.get $bin)) (i32.const 1)))))
        (local.set $live (i32.add (local.get $live) (i32.const 1)))
        (local.set $out (i32.add (local.get $out) (i32.const 2)))
        (br $vector))))

  ;; The numbers (u32 at `out`) of the vectors whose u16 at `distances` is at most `limit`; gives how many.
  (func (export "within")
    (param $distances i32) (param $count i32) (param $limit i32) (param $out i32) (result i32)
    (local $at i32) (local $start i32)
    (local.set $start (local.get $out))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $count)))
        (if (i32.le_u (i32.load16_u (local.get $distances)) (local.get $limit))
          (then
            (i32.store (local.get $out) (local.get $at))
            (local.set $out (i32.add (local.get $out) (i32.const 4)))))
        (local.set $distances (i32.add (local.get $distances) (i32.const 2)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $out) (local.get $start)) (i32.const 2)))

  ;; The dot product (i32 at `out`) of an i16 query with each of `count` rows of i8 codes, `blocks` blocks of 16 each.
  (func (export "dots")
    (param $rows i32) (param $count i32) (param $blocks i32) (param $query i32) (param $out i32)
    (local $q i32) (local $left i32) (local $codes v128) (local $sum v128)
    (block $done
      (loop $row
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $q (local.get $query))
        (local.set $left (local.get $blocks))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (loop $next
          (local.set $codes (v128.load (local.get $rows)))
          (local.set $sum
            (i32x4.add (local.get $sum)
              (i32x4.add
                (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $codes)) (v128.load (local.get $q)))
                (i32x4.dot_i16x8_s
                  (i16x8.extend_high_i8x16_s (local.get $codes)) (v128.load offset=16 (local.get $q))))))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (br_if $next (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $row)))))
