import { inputProblems } from "../configError";
import type { Generator } from "./generator";
import { mapping } from "./mapping";

/** A kernel module to load at boot. */
export interface KernelModule {
  /** Name of the module, `nvme_tcp`. */
  readonly name: string;
  /** Parameters of the module, `name=value`. Default: none. */
  readonly parameters?: readonly string[] | undefined;
}

/** The kernel's settings and modules. */
export interface KernelOptions {
  /** Kernel parameters such as `vm.max_map_count`, as text. Default: Talos' own. */
  readonly sysctls?: Readonly<Record<string, string>> | undefined;
  /** Kernel modules to load at boot. Default: only Talos' own. */
  readonly kernelModules?: readonly KernelModule[] | undefined;
}

/** The kernel's settings and modules, in `machine.sysctls` and `machine.kernel`. */
export const kernel: Generator<KernelOptions> = {
  check({ sysctls = {}, kernelModules = [] }) {
    const names = kernelModules.map(({ name }) => name);
    return [
      ...Object.entries(sysctls).flatMap(([key, value]) =>
        inputProblems(["sysctls", key], checkSysctl(key, value)),
      ),
      ...names.flatMap((name, index) =>
        inputProblems(
          ["kernelModules", index, "name"],
          names.indexOf(name) === index
            ? checkModuleName(name)
            : `${JSON.stringify(name)} is there twice: put all its parameters into one entry`,
        ),
      ),
    ];
  },

  generate({ sysctls, kernelModules }) {
    const modules = kernelModules?.map(({ name, parameters }) => ({ name, parameters }));
    return { config: mapping({ machine: { sysctls, kernel: modules && { modules } } }) };
  },
};

function checkSysctl(key: string, value: string): string | undefined {
  if (!/^\w[\w-]*(?:[./][\w:*-]+)+$/.test(key)) {
    return `${JSON.stringify(key)} is not the name of a kernel setting, like "vm.max_map_count"`;
  }
  return /^\s*$/.test(value) ? "is empty: write the value as text, or leave it out" : undefined;
}

function checkModuleName(name: string): string | undefined {
  return /^[\w-]+$/.test(name)
    ? undefined
    : `${JSON.stringify(name)} is not the name of a kernel module, like "nvme_tcp": write it without path, ending and parameters`;
}
