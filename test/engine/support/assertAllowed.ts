/** @throws Error when calls of a world's life broke AWS' models of its services, even if the caller didn't mind. */
export function assertAllowed(violations: readonly string[]): void {
  if (violations.length > 0) {
    throw new Error(
      `AWS' models of its services forbid what was called:\n${violations.join("\n")}`,
    );
  }
}
