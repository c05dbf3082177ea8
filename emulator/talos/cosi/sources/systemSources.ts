import { instanceSize } from "../../machine/instanceSize";
import { kernelCommandLine } from "../../machine/kernelStart";
import type { NodeState } from "../../machine/nodeState";
import { stableUuid } from "../../machine/partitionTable";
import { type ResourceSource, sourceOf, type SourceValue } from "../resource";
import { encodeSpec } from "../specCodec";

const MEBIBYTE = 1024 * 1024;

/** The booted system and its hardware. */
export function systemSources(node: NodeState): readonly ResourceSource[] {
  const runtime = (type: string, controller: string, values: () => SourceValue[]) =>
    sourceOf({ namespace: "runtime", type, owner: `runtime.${controller}` }, values);
  const hardware = (type: string, values: () => SourceValue[]) =>
    sourceOf(
      {
        namespace: "hardware",
        type: `${type}.hardware.talos.dev`,
        owner: "hardware.SystemInfoController",
      },
      values,
    );
  return [
    runtime("ExtensionStatuses.runtime.talos.dev", "ExtensionStatusController", () =>
      extensions(node),
    ),
    runtime("KernelCmdlines.runtime.talos.dev", "KernelCmdlineController", () => [
      value("KernelCmdline", "cmdline", { cmdline: kernelCommandLine }),
    ]),
    runtime("SecurityStates.talos.dev", "SecurityStateController", () => [
      {
        id: "securitystate",
        spec: {
          secureBoot: false,
          selinuxState: "permissive",
          moduleSignatureEnforced: true,
        },
        proto: encodeSpec("SecurityState", {
          seLinuxState: "SE_LINUX_STATE_PERMISSIVE",
          moduleSignatureEnforced: true,
        }),
      },
    ]),
    runtime("MetaKeys.runtime.talos.dev", "MetaController", () =>
      [...node.disk.meta].map(([tag, text]) =>
        value("MetaKey", `0x${tag.toString(16).padStart(2, "0")}`, { value: text }),
      ),
    ),
    runtime("MetaLoads.runtime.talos.dev", "MetaController", () => [
      value("MetaLoad", "meta-loaded", { done: true }),
    ]),
    hardware("SystemInformations", () => [systemInformation(node)]),
    hardware("Processors", () => [processor(node)]),
    hardware("MemoryModules", () => [memory(node)]),
  ];
}

function value(
  message: string,
  id: string,
  spec: Readonly<Record<string, string | boolean>>,
): SourceValue {
  return { id, spec: { ...spec }, proto: encodeSpec(message, spec) };
}

/** The factory's images report their schematic as an extension of that name. */
function extensions({ uptime }: NodeState): SourceValue[] {
  const { schematic } = uptime.system;
  if (schematic === undefined) {
    return [];
  }
  const metadata = {
    name: "schematic",
    version: schematic,
    author: "Image Factory",
    description:
      "Virtual extension which specifies the schematic of the image built with Image Factory.",
  };
  return [
    {
      id: "0",
      spec: {
        image: "0.sqsh",
        metadata: { ...metadata, compatibility: { talos: { version: ">= v1.0.0" } } },
      },
      proto: encodeSpec("ExtensionStatus", { image: "0.sqsh", metadata }),
    },
  ];
}

function systemInformation({ hardware }: NodeState): SourceValue {
  const { instanceId, instanceType } = hardware;
  const uuid = `ec2${stableUuid(instanceId).slice(3)}`;
  const spec = {
    manufacturer: "Amazon EC2",
    productName: instanceType,
    uuid,
    wakeUpType: "Power Switch",
  };
  return {
    id: "systeminformation",
    spec: { ...spec, serialnumber: uuid },
    proto: encodeSpec("SystemInformation", { ...spec, serialNumber: uuid }),
  };
}

function processor({ hardware }: NodeState): SourceValue {
  const { processors } = instanceSize(hardware.instanceType);
  const isIntel = hardware.architecture === "amd64";
  const coreCount = Math.max(1, processors / 2);
  const spec = {
    socket: "CPU 0",
    manufacturer: isIntel ? "Intel(R) Corporation" : "AWS",
    productName: isIntel ? "Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz" : "AWS Graviton",
    coreCount,
    coreEnabled: coreCount,
    threadCount: processors,
  };
  return { id: "CPU-0", spec, proto: encodeSpec("Processor", spec) };
}

function memory({ hardware }: NodeState): SourceValue {
  const { memoryBytes } = instanceSize(hardware.instanceType);
  const sizeMiB = Math.round(memoryBytes / MEBIBYTE);
  return {
    id: "DIMM-0",
    spec: { sizeMiB, deviceLocator: "DIMM 0", manufacturer: "Amazon EC2" },
    proto: encodeSpec("MemoryModule", {
      size: sizeMiB,
      deviceLocator: "DIMM 0",
      manufacturer: "Amazon EC2",
    }),
  };
}
