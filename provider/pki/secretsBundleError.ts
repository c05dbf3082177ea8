/** A problem of imported secrets. It never contains a secret. */
export interface SecretsBundleProblem {
  /**
   * The place in the text: `certs.etcd.key`, `cluster.aggregatorCA`, `line 3`; empty for the whole
   * text.
   */
  readonly path: string;
  /** The problem, what is allowed, what to do: a lower-case sentence. */
  readonly message: string;
}

/** An error about secrets that can't be imported, with all problems. */
export class SecretsBundleError extends Error {
  override readonly name = "SecretsBundleError";
  readonly problems: readonly SecretsBundleProblem[];

  constructor(problems: readonly SecretsBundleProblem[]) {
    const lines = problems.map(({ path, message }) =>
      path === "" ? message : `${path}: ${message}`,
    );
    super(
      lines.length === 1
        ? lines.join("")
        : `${lines.length} problems in the secrets:\n${lines.map((line) => `  - ${line}`).join("\n")}`,
    );
    this.problems = problems;
  }
}
