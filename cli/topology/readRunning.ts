import { type ConfigDocument, textIn } from "../../provider/config";
import { talosKind } from "../../provider/engine";
import { mappingAt, text, texts } from "../properties";
import type { StackResource } from "../stackResource";
import type { Topology } from "./topology";

/**
 * What the machines in a network run, and the Kubernetes API that they belong to, as recorded when they
 * were configured last. Machines of auto scaling groups have no record.
 *
 * @param isHere whether one of these security groups belongs to the network
 */
export function readRunning(
  resources: readonly StackResource[],
  isHere: (securityGroupIds: readonly string[]) => boolean,
): Pick<Topology, "endpoints" | "versions"> {
  const here = new Set(
    resources
      .filter(
        ({ type, outputs }) =>
          type === "aws:ec2/instance:Instance" && isHere(texts(outputs, "vpcSecurityGroupIds")),
      )
      .map(({ id }) => id),
  );
  const recorded = resources
    .filter(({ type, inputs }) => {
      return talosKind(type) === "ConfigurationApply" && here.has(text(inputs, "machineId"));
    })
    .map(({ inputs, outputs }) => ({
      outputs,
      outline: mappingAt(inputs, "redactedConfiguration") as ConfigDocument,
    }));
  const endpoints = recorded.map(
    ({ outline }) => textIn(outline, "cluster.controlPlane.endpoint") ?? "",
  );
  const versions = recorded.flatMap(({ outputs, outline }) => [
    named("Talos", text(mappingAt(outputs, "talosSystem"), "version")),
    named("Kubernetes", tagOf(textIn(outline, "machine.kubelet.image") ?? "")),
  ]);
  return { endpoints: unique(endpoints), versions: unique(versions) };
}

function named(what: string, version: string): string {
  return version === "" ? "" : `${what} ${version}`;
}

/** The tag of a container image, without its digest. */
function tagOf(image: string): string {
  return /:([^:/@]+)(@.*)?$/.exec(image)?.[1] ?? "";
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)]
    .filter((value) => value !== "")
    .sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
}
