/** The releases of Talos that the labs run (TALOS_LAB, KUBERNETES_LAB), the one they run by default first. */
export const LAB_RELEASES = ["v1.12.1", "v1.14.1"] as const;

/** One of `LAB_RELEASES`. */
export type LabReleaseName = (typeof LAB_RELEASES)[number];

/**
 * The releases that a run of tests with labs goes through: the one that TALOS_LAB_RELEASE names, or all.
 *
 * @param chosen the value of TALOS_LAB_RELEASE
 * @throws Error for a release that the tests don't know
 */
export function labReleasesOf(chosen: string | undefined): readonly LabReleaseName[] {
  if (chosen === undefined || chosen === "") {
    return LAB_RELEASES;
  }
  const named = LAB_RELEASES.filter((release) => release === chosen);
  if (named.length === 0) {
    throw new Error(
      `TALOS_LAB_RELEASE: the tests know ${LAB_RELEASES.join(" and ")}, not "${chosen}"`,
    );
  }
  return named;
}
