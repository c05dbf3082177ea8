import type { LogBook } from "../runtime/logBook";

/** Linux of Talos v1.12.1 (`constants.DefaultKernelVersion`). */
export const kernelVersion = "6.18.2-talos";

/** The kernel command line of an AMI (talos v1.12.1, platform `aws`). */
export const kernelCommandLine =
  "BOOT_IMAGE=/A/vmlinuz talos.platform=aws console=tty1 console=ttyS0 net.ifnames=0 init_on_alloc=1 slab_nomerge pti=on consoleblank=0 nvme_core.io_timeout=4294967295 printk.devkmsg=on selinux=1 module.sig_enforce=1 proc_mem.force_override=never";

/**
 * Writes the first lines of the kernel's log.
 *
 * @param at when the kernel started
 */
export function logKernelStart(
  logs: LogBook,
  { architecture, instanceType }: { readonly architecture: string; readonly instanceType: string },
  at: Date,
): void {
  const lines = [
    ["notice", `Linux version ${kernelVersion} (@buildkitsandbox) (${architecture})`],
    ["info", `Command line: ${kernelCommandLine}`],
    ["info", `DMI: Amazon EC2 ${instanceType}/, BIOS 1.0 10/16/2017`],
  ] as const;
  for (const [priority, text] of lines) {
    logs.kernel.append({ facility: "kern", priority, at, text });
  }
}
