/** One thing that is wrong with imported secrets. Never holds a secret's value. */
export interface SecretsBundleProblem {
  /** Where, in the text that was read: `certs.etcd.key`, `cluster.aggregatorCA`, `line 3`; empty for all of it. */
  readonly path: string;
  /** What is wrong, what is allowed, what to do: a lower-case sentence. */
  readonly message: string;
}

/** Raised for secrets that can't be imported: all their problems at once. */
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
