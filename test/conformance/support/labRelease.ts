/** What a lab runs: its Talos, and the two releases of Kubernetes that it serves for it. */
interface LabRelease {
  readonly talos: string;
  /** Whether the labs run it where nothing is said. */
  readonly isDefault: boolean;
  /** As tags; an upgrade goes from `former` to `next`. */
  readonly kubernetes: { readonly former: string; readonly next: string };
}

/** The releases that the labs know, the default first. */
const releases: readonly [LabRelease, ...LabRelease[]] = [
  { talos: "v1.12.1", isDefault: true, kubernetes: { former: "v1.34.3", next: "v1.35.0" } },
  { talos: "v1.14.1", isDefault: false, kubernetes: { former: "v1.36.3", next: "v1.37.2" } },
];

/** What the labs run in this run of the tests: they and this read TALOS_LAB_RELEASE. */
export const LAB: LabRelease = releaseNamed(process.env.TALOS_LAB_RELEASE);

function releaseNamed(talos: string = releases[0].talos): LabRelease {
  const release = releases.find((each) => each.talos === talos);
  if (release === undefined) {
    const known = releases.map((each) => each.talos).join(" and ");
    throw new Error(`TALOS_LAB_RELEASE: the tests know ${known}, not "${talos}"`);
  }
  return release;
}
