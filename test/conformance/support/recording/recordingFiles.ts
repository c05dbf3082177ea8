import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeRecording, encodeRecording } from "./encodeRecording";
import { type Recording, recordCommand } from "./recording";

/** Where recordings are in a checkout. */
export const recordedFolder = join(__dirname, "../../recorded");

const ending = ".jsonl.br";

/** The names of all recordings. */
export function recordingNames(): string[] {
  return readdirSync(recordedFolder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();
}

/** The file of a recording. */
export function recordingFile(name: string, folder = recordedFolder): string {
  return join(folder, `${name}${ending}`);
}

/**
 * Reads a recording.
 *
 * @throws Error that names the command to make it, where there is none
 */
export function readRecording(name: string): Recording {
  const file = recordingFile(name);
  if (!existsSync(file)) {
    throw new Error(`There is no recording ${file}; make it with: ${recordCommand}`);
  }
  return decodeRecording(readFileSync(file));
}

/** Writes a recording into a folder. */
export function writeRecording(folder: string, name: string, recording: Recording): void {
  writeFileSync(recordingFile(name, folder), encodeRecording(recording));
}
