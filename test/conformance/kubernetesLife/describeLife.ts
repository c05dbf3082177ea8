import { KubernetesLab, reasonAgainst } from "../support/kubernetesLab";

/** A killed upgrade of five machines, on a computer that is busy with other work. */
const LONGEST_MS = 90 * 60_000;

/**
 * Tests of a cluster's life on real Kubernetes, which take hours together: they run where KUBERNETES_LIFE is set, as
 * `npm run test:kubernetes` sets it. Otherwise they are skipped and counted as that, with the reason.
 */
export function describeKubernetesLife(title: string, tests: (lab: KubernetesLab) => void): void {
  const command = process.env.KUBERNETES_LAB ?? "";
  const reason = reasonAgainstLife() ?? reasonAgainst(command);
  if (reason !== undefined) {
    console.warn(`skipped: ${title}: ${reason}`);
  }
  // A cluster that is kept for the next run has no owner that ends.
  const owner = process.env.KUBERNETES_LIFE === "keep" ? "" : undefined;
  (reason === undefined ? describe : describe.skip)(title, { timeout: LONGEST_MS }, () => {
    tests(new KubernetesLab(command, owner));
  });
}

function reasonAgainstLife(): string | undefined {
  return (process.env.KUBERNETES_LIFE ?? "") === ""
    ? "it takes too long for every day; run it with KUBERNETES_LAB set: npm run test:kubernetes"
    : undefined;
}
