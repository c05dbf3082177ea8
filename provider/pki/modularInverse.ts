/**
 * The inverse of a value modulo another, between 0 and it, by the extended Euclidean algorithm. The
 * two must have no common factor.
 */
export function modularInverse(value: bigint, modulus: bigint): bigint {
  let [remainder, nextRemainder] = [modulus, ((value % modulus) + modulus) % modulus];
  let [coefficient, nextCoefficient] = [0n, 1n];
  while (nextRemainder !== 0n) {
    const quotient = remainder / nextRemainder;
    [remainder, nextRemainder] = [nextRemainder, remainder - quotient * nextRemainder];
    [coefficient, nextCoefficient] = [nextCoefficient, coefficient - quotient * nextCoefficient];
  }
  return coefficient < 0n ? coefficient + modulus : coefficient;
}
