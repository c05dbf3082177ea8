/** Ranges with shorter prefixes count as the world. */
const SHORTEST_IPV4_PREFIX = 8;
const SHORTEST_IPV6_PREFIX = 16;

/** Whether a range of addresses is the world, or almost, however it is split. */
export function isWorldRange(cidr: string): boolean {
  const prefix = Number(cidr.split("/")[1] ?? Number.NaN);
  return prefix < (cidr.includes(":") ? SHORTEST_IPV6_PREFIX : SHORTEST_IPV4_PREFIX);
}
