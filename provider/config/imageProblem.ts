/** What is wrong with an image that isn't of one release; undefined without a problem. */
export function imageProblem(image: string): string | undefined {
  const isPinned =
    /^[^\s@]+@sha256:[0-9a-f]{64}$/.test(image) ||
    /^[^\s@]+:(?!latest$)[\w][\w.-]{0,127}$/.test(image);
  return isPinned
    ? undefined
    : `"${image}" is whatever is newest when a machine fetches it: name a version, as in "ghcr.io/siderolabs/talos-backup:v0.1.0-beta.3", or a digest`;
}
