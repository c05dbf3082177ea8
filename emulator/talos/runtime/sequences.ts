/** Sequences of a machine (talos v1.12.1, `runtime.Sequence`). */
export type SequenceName =
  "initialize" | "install" | "boot" | "reboot" | "shutdown" | "reset" | "upgrade" | "stageUpgrade";

/** A step of a sequence: concurrent tasks. */
export interface Phase {
  readonly name: string;
  readonly tasks: readonly string[];
}

/** The options of a call that change its sequence. */
export interface SequenceOptions {
  /** Whether this kernel loads the next one, without a power cycle. */
  readonly kexec: boolean;
  /** Skips the steps that protect the cluster, such as a drain. */
  readonly force: boolean;
  /** Leaves the cluster first. */
  readonly graceful: boolean;
  readonly isControlPlane: boolean;
  /** What is wiped on the system disk. */
  readonly wipes: "disk" | "partitions" | "nothing";
  /** Restarts at the end instead of switching off. */
  readonly reboot: boolean;
  /** Whether this boot must install a staged upgrade. */
  readonly isUpgradeStaged: boolean;
}

/** The default options of a sequence. */
export const plainSequence: SequenceOptions = {
  kexec: false,
  force: false,
  graceful: false,
  isControlPlane: false,
  wipes: "nothing",
  reboot: false,
  isUpgradeStaged: false,
};

/** The phases of each sequence of a machine in cloud mode (talos v1.12.1, `v1alpha1_sequencer.go`). */
export function phasesOf(name: SequenceName, options: SequenceOptions): readonly Phase[] {
  switch (name) {
    case "initialize":
      return [
        phase("systemRequirements", "enforceKSPPRequirements"),
        phase(
          "earlyServices",
          "startUdevd",
          "startMachined",
          "startAuditd",
          "startSyslogd",
          "startContainerd",
        ),
        phase("usb", "waitForUSB"),
        phase("meta", "reloadMeta"),
        phase("dashboard", "startDashboard"),
        phase("config", "loadConfig"),
      ];
    case "install":
      // An AMI contains an installed system.
      return options.isUpgradeStaged ? installPhases : [];
    case "boot":
      return [
        phase("memorySizeCheck", "memorySizeCheck"),
        phase("diskSizeCheck", "diskSizeCheck"),
        phase("env", "setUserEnvVars", "waitForCARoots"),
        phase("dbus", "startDBus"),
        phase("ephemeral", "mountEphemeralPartition"),
        phase("udevSetup", "writeUdevRules"),
        phase("userDisks", "mountUserDisks"),
        phase("userSetup", "writeUserFiles"),
        phase("startEverything", "startAllServices"),
      ];
    case "reboot":
      return [
        ...(options.force
          ? []
          : [
              phase("cleanup", "stopAllPods"),
              phase("dbus", "stopDBus"),
              ...stopEverything(options.kexec),
            ]),
        phase("reboot", "reboot"),
      ];
    case "shutdown":
      return [
        phase("storeShutdown", "storeShutdownEmergency"),
        ...(options.force ? [] : [phase("drain", "cordonAndDrainNode")]),
        phase("cleanup", "stopAllPods"),
        phase("dbus", "stopDBus"),
        ...stopEverything(false),
        phase("shutdown", "shutdown"),
      ];
    case "reset":
      return resetPhases(options);
    case "upgrade":
      return [
        phase("drain", "cordonAndDrainNode"),
        phase("cleanup", "stopAllPods"),
        phase("dbus", "stopDBus"),
        phase("stopServices", "stopServicesForUpgrade"),
        phase("unmount", "unmountPodMounts"),
        ...unmountDisk,
        phase("upgrade", "upgrade"),
        phase("meta", "reloadMeta"),
        ...kexecPhase(options.kexec),
        phase("stopEverything", "stopAllServices"),
        phase("reboot", "reboot"),
      ];
    case "stageUpgrade":
      return [
        phase("cleanup", "stopAllPods"),
        phase("dbus", "stopDBus"),
        ...stopEverything(options.kexec),
        phase("reboot", "reboot"),
      ];
  }
}

function resetPhases({ graceful, isControlPlane, wipes, reboot }: SequenceOptions): Phase[] {
  return [
    ...(graceful ? [phase("drain", "cordonAndDrainNode")] : []),
    phase("cleanup", graceful ? "removeAllPods" : "stopAllPods"),
    phase("dbus", "stopDBus"),
    ...(graceful && isControlPlane ? [phase("leave", "leaveEtcd")] : []),
    phase("preReset", "sendResetSignal"),
    ...stopEverything(wipes === "partitions"),
    phase("forceCleanup", "forceCleanup"),
    ...(wipes === "disk" ? [phase("reset", "resetSystemDisk")] : []),
    ...(wipes === "partitions" ? [phase("resetSpec", "resetSystemDiskSpec")] : []),
    reboot ? phase("reboot", "reboot") : phase("shutdown", "shutdown"),
  ];
}

const installPhases: readonly Phase[] = [
  phase("env", "setUserEnvVars"),
  phase("install", "install"),
  phase("meta", "reloadMeta"),
  phase("saveMeta", "flushMeta"),
  phase("volumeFinalize", "teardownLifecycle"),
  phase("stopEverything", "stopAllServices"),
  phase("kexec", "kexecPrepare"),
  phase("reboot", "reboot"),
];

const unmountDisk: readonly Phase[] = [
  phase("unmountBind", "unmountSystemDiskBindMounts"),
  phase("unmountSystem", "unmountEphemeralPartition"),
  phase("volumeFinalize", "teardownLifecycle"),
];

function stopEverything(kexec: boolean): Phase[] {
  return [
    phase("stopServices", "stopServicesForUpgrade"),
    phase("umount", "unmountPodMounts"),
    ...unmountDisk,
    ...kexecPhase(kexec),
    phase("stopEverything", "stopAllServices"),
  ];
}

function kexecPhase(kexec: boolean): Phase[] {
  return kexec ? [phase("kexec", "kexecPrepare")] : [];
}

function phase(name: string, ...tasks: string[]): Phase {
  return { name, tasks };
}
