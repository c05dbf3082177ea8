import { stripVTControlCharacters } from "node:util";
import type { EngineEvent } from "@pulumi/pulumi/automation";

/**
 * The events of a run of the engine, without those for debugging: an SDK tells there, in every run, what
 * it sends and receives, secrets in clear (`runtime/resource.ts` of @pulumi/pulumi v3.230.0).
 */
export class KeptEvents {
  private readonly kept: EngineEvent[] = [];

  public get events(): readonly EngineEvent[] {
    return this.kept;
  }

  /** For `onEvent`. */
  public readonly keep = (event: EngineEvent): void => {
    // The SDK's types don't know of `debug`.
    const severity: string | undefined = event.diagnosticEvent?.severity;
    if (severity !== "debug") {
      this.kept.push(event);
    }
  };

  /** The messages of a severity, each once, as plain text. */
  public told(severity: string): readonly string[] {
    const messages = this.kept.flatMap(({ diagnosticEvent }) =>
      diagnosticEvent?.severity === severity ? [plain(diagnosticEvent.message)] : [],
    );
    return [...new Set(messages)];
  }
}

/** A message without the engine's own words for colours. */
function plain(message: string): string {
  return stripVTControlCharacters(message.replaceAll(/<\{%.*?%\}>/g, "")).trim();
}
