import {
  LAB_RELEASES,
  type LabReleaseName,
  labReleasesOf,
} from "../../../scripts/testing/labReleases";

/** What a lab runs: its Talos, and the two releases of Kubernetes that it serves for it. */
interface LabRelease {
  readonly talos: string;
  /** Whether the labs run it where nothing is said. */
  readonly isDefault: boolean;
  /** As tags; an upgrade goes from `former` to `next`. */
  readonly kubernetes: { readonly former: string; readonly next: string };
  /**
   * The code that a machine in maintenance mode answers to what it does not do. `unimplemented` to v1.12, whose
   * maintenance service knows few methods (talos v1.12.1, internal/app/maintenance). From v1.13 on it is machined
   * itself, with the role reader for everyone (v1.13.0 and v1.14.1, controllers/runtime/api_service_config.go).
   */
  readonly maintenanceRefusal: "unimplemented" | "permissionDenied";
  /**
   * Whether some changes of a configuration restart a machine. From v1.14 on none does, and none is refused
   * for it (talos v1.14.1, ApplyConfiguration in v1alpha1_server.go).
   */
  readonly configurationsReboot: boolean;
  /**
   * Whether a boot waits for the kubelet, so that its stage stays `booting` without one. Since v1.14 the kubelet is loaded
   * apart from the boot, which may then end before (talos v1.14.1, StartAllServices in v1alpha1_sequencer_tasks.go).
   */
  readonly bootAwaitsKubelet: boolean;
  /** The code that refuses the bootstrap of a worker (talos v1.12.1, and since v1.13.0 machinehelper.CheckControlplane). */
  readonly workerBootstrapRefusal: "failedPrecondition" | "unimplemented";
  /** Whether a member that joins votes within seconds, also beside a dead one (talos v1.14.1, `promoteMember` in services/etcd.go). */
  readonly learnersVoteSoon: boolean;
  /** Where etcd answers HTTP; since v1.14 not beside gRPC any more (talos v1.14.1, services/etcd.go, `listen-client-http-urls`). */
  readonly etcdHttpPort: number;
}

/** The releases that the labs run, by their Talos. */
const releases: Readonly<Record<LabReleaseName, Omit<LabRelease, "talos" | "isDefault">>> = {
  "v1.12.1": {
    kubernetes: { former: "v1.34.3", next: "v1.35.0" },
    maintenanceRefusal: "unimplemented",
    configurationsReboot: true,
    bootAwaitsKubelet: true,
    workerBootstrapRefusal: "failedPrecondition",
    learnersVoteSoon: false,
    etcdHttpPort: 2379,
  },
  "v1.14.1": {
    kubernetes: { former: "v1.36.3", next: "v1.37.2" },
    maintenanceRefusal: "permissionDenied",
    configurationsReboot: false,
    bootAwaitsKubelet: false,
    workerBootstrapRefusal: "unimplemented",
    learnersVoteSoon: true,
    etcdHttpPort: 2383,
  },
};

/** The releases of Kubernetes that the labs run, as tags. */
export const labKubernetes: readonly string[] = LAB_RELEASES.flatMap((talos) => {
  const { former, next } = releases[talos].kubernetes;
  return [former, next];
});

/** What the labs run in this run of the tests, which they read from TALOS_LAB_RELEASE too. */
export const LAB: LabRelease = releaseOf(labReleasesOf(process.env.TALOS_LAB_RELEASE)[0]);

function releaseOf(talos: LabReleaseName = LAB_RELEASES[0]): LabRelease {
  return { talos, isDefault: talos === LAB_RELEASES[0], ...releases[talos] };
}
