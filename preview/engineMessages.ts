import { stripVTControlCharacters } from "node:util";
import type { EngineEvent } from "@pulumi/pulumi/automation";

/** The engine warns of plugins on PATH. This package puts them there. */
const PLUGIN_ON_PATH = /^using pulumi-(resource|language)-\S+ from \$PATH at /;

/** Whether a warning only says which plugin on PATH the engine uses. */
export function isPluginWarning(message: string): boolean {
  return PLUGIN_ON_PATH.test(message);
}

/** An engine's message as plain text, without its markup for colors. */
export function plainMessage(message: string): string {
  return stripVTControlCharacters(message.replaceAll(/<\{%.*?%\}>/g, "")).trim();
}

/** The warnings of a run, each once, as plain text; without those about plugins on PATH. */
export function readWarnings(events: readonly EngineEvent[]): readonly string[] {
  const messages = events.flatMap(({ diagnosticEvent }) =>
    diagnosticEvent?.severity === "warning" ? [plainMessage(diagnosticEvent.message)] : [],
  );
  return [...new Set(messages)].filter((message) => !isPluginWarning(message));
}
