import path from "node:path";

/** The file in which a running daemon publishes itself to its clients. */
export interface DaemonRecord {
  readonly pid: number;
  readonly worldId: string;
  /** URL of the daemon's control server, on 127.0.0.1. */
  readonly controlUrl: string;
  /** The control server refuses requests without this token. */
  readonly controlToken: string;
  /** The URL of every AWS service. */
  readonly url: string;
  readonly region: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Absent in the record of an older release. */
  readonly nameEnvironment?: Readonly<Record<string, string>>;
  readonly pluginDir: string;
  /** Who runs the machines, as `--machines` says. Absent if they are simulated. */
  readonly machines?: string;
}

/** Path of the record in a state folder. */
export function daemonFile(stateDir: string): string {
  return path.join(stateDir, "emulator.json");
}

/** @throws Error when the text is no complete record. */
export function parseDaemonRecord(text: string): DaemonRecord {
  const record: unknown = JSON.parse(text);
  if (!isRecord(record)) {
    throw new Error("the record of the emulator is incomplete");
  }
  return record;
}

function isRecord(value: unknown): value is DaemonRecord {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const entries = new Map(Object.entries(value));
  const texts = ["worldId", "controlUrl", "controlToken", "url", "region", "pluginDir"];
  return (
    typeof entries.get("pid") === "number" &&
    texts.every((name) => typeof entries.get(name) === "string") &&
    typeof entries.get("environment") === "object"
  );
}
