import { TalosApiError } from "../../api/talosApiError";
import type { CallOptions, TalosClient } from "../../api/talosClient";
import { secretRemover } from "../../config/secrets/secretValues";
import { decodeDocuments } from "../../config/yaml/encode";
import { readYamlText } from "../../config/yaml/yamlText";
import { isSilence } from "../silence";
import { imagesByPod } from "../upgrade/controlPlaneImages";
import { CONTROLLER_LOG } from "./controllerLog";

/** What the configuration that a machine runs means for texts of the machine. */
export interface ConfigurationFacts {
  /**
   * When the machine got it, in milliseconds since 1970 by its own clock; undefined if the caller
   * may not know.
   */
  readonly configuredAtMs: number | undefined;
  /**
   * The images of the control plane's components in it, by the names of their pods. An image that
   * Talos chooses, or that the caller may not know, is left out.
   */
  readonly images: ReadonlyMap<string, string>;
  /** Makes a text of the machine safe to show. */
  readonly conceal: (text: string) => string;
}

/** What a machine says about Talos' controllers. */
export interface ControllerFacts extends ConfigurationFacts {
  /** The last lines of their log, oldest first; undefined if it can't be read. */
  readonly lines: readonly string[] | undefined;
}

/**
 * Reads the log of Talos' controllers, and what is needed to judge it and to quote it. Every release
 * since v1.10 has that log.
 *
 * @throws TalosApiError if the machine doesn't answer
 */
export async function readControllerFacts(
  client: TalosClient,
  call: CallOptions,
): Promise<ControllerFacts> {
  const [lines, configuration] = await Promise.all([
    orRefused(readLines(client, CONTROLLER_LOG, call)),
    readConfigurationFacts(client, call),
  ]);
  return { lines, ...configuration };
}

/**
 * Reads the configuration that a machine runs. A caller without that right doesn't know its secrets,
 * so then nothing is quoted.
 *
 * @throws TalosApiError if the machine doesn't answer
 */
export async function readConfigurationFacts(
  client: TalosClient,
  call: CallOptions,
): Promise<ConfigurationFacts> {
  const active = await orRefused(client.getResource(ACTIVE_CONFIGURATION, call));
  if (active === undefined) {
    return { configuredAtMs: undefined, images: new Map(), conceal: () => NOT_QUOTED };
  }
  const { updated, spec } = active;
  const documents = decodeDocuments(readYamlText(spec));
  return {
    configuredAtMs: updated === undefined ? undefined : Date.parse(updated),
    images: imagesByPod(documents),
    conceal: secretRemover(documents),
  };
}

/** The last lines of a log, oldest first. */
export async function readLines(
  client: TalosClient,
  request: Parameters<TalosClient["logs"]>[0],
  call: CallOptions,
): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of client.logs(request, call)) {
    lines.push(line);
  }
  return lines;
}

const ACTIVE_CONFIGURATION = {
  namespace: "config",
  type: "MachineConfigs.config.talos.dev",
  id: "v1alpha1",
} as const;

const NOT_QUOTED = "(not shown, because these credentials can't tell whether it has secrets)";

/** An answer; undefined if the machine refuses or lacks it. */
export async function orRefused<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TalosApiError && !isSilence(error)) {
      return undefined;
    }
    throw error;
  }
}
