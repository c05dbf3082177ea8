/**
 * The minor of a Talos release (`v1.12.1`) or version contract (`v1.12`): 12. Undefined for other
 * texts.
 */
export function talosMinor(version: string): number | undefined {
  const minor = /^v?1\.(\d+)(?:\.|$)/.exec(version)?.[1];
  return minor === undefined ? undefined : Number(minor);
}
