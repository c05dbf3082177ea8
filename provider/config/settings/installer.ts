import type { ConfigDocument } from "../machineConfig";
import { joinDocuments } from "./fieldsOf";
import { textIn } from "./settingIn";

/** The setting with the installer of a machine's Talos. */
export const INSTALLER = "machine.install.image";

/** The installer in the outline of a machine's configuration; undefined without one. */
export function installerOf(outline: ConfigDocument): string | undefined {
  return textIn(outline, INSTALLER);
}

/** The installer in the documents of a machine's configuration; undefined without one. */
export function installerIn(documents: readonly ConfigDocument[]): string | undefined {
  return installerOf(joinDocuments(documents));
}
