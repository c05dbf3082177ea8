import { inputProblems } from "../configError";
import { moduleNameProblem, sysctlNameProblem, sysctlValueProblem } from "../rules/valueRules";
import type { Generator } from "./generator";
import { configDocument, mapping } from "./mapping";

/** A kernel module to load at boot. */
export interface KernelModule {
  /** Name of the module, `nvme_tcp`. */
  readonly name: string;
  /** Parameters of the module, `name=value`. Default: none. */
  readonly parameters?: readonly string[] | undefined;
}

/** The kernel's settings and modules. */
export interface KernelOptions {
  /** Kernel parameters, for example `{vm.max_map_count: "262144"}`. Default: Talos' own. */
  readonly sysctls?: Readonly<Record<string, string>> | undefined;
  /** Kernel modules to load at boot, for example `[{name: nvme_tcp}]`. Default: only Talos' own. */
  readonly kernelModules?: readonly KernelModule[] | undefined;
}

/**
 * The kernel's settings and modules: `SysctlConfig` and `KernelModuleConfig`, or `machine.sysctls` and
 * `machine.kernel` in older contracts.
 */
export const kernel: Generator<KernelOptions> = {
  check({ sysctls = {}, kernelModules = [] }) {
    const names = kernelModules.map(({ name }) => name);
    return [
      ...Object.entries(sysctls).flatMap(([key, value]) =>
        inputProblems(["sysctls", key], sysctlNameProblem(key) ?? sysctlValueProblem(value)),
      ),
      ...names.flatMap((name, index) =>
        inputProblems(
          ["kernelModules", index, "name"],
          names.indexOf(name) === index
            ? moduleNameProblem(name)
            : `${JSON.stringify(name)} is there twice: put all its parameters into one entry`,
        ),
      ),
    ];
  },

  generate({ sysctls, kernelModules }, { systemDocuments }) {
    if (systemDocuments) {
      const isSet = Object.keys(sysctls ?? {}).length > 0;
      return {
        documents: [
          ...(isSet ? [configDocument("SysctlConfig", { params: sysctls })] : []),
          ...(kernelModules ?? []).map(({ name, parameters }) =>
            configDocument("KernelModuleConfig", { name, parameters }),
          ),
        ],
      };
    }
    const modules = kernelModules?.map(({ name, parameters }) => ({ name, parameters }));
    return { config: mapping({ machine: { sysctls, kernel: modules && { modules } } }) };
  },
};
