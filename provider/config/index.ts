// Why this room is as it is: docs/decisions/configuration.md.

export { admissionPlugins } from "./admissionPlugins";
export { judgeAuthorities } from "./authorityPath";
export { birthChanges, type BirthValues, describeBirthChange } from "./birthSettings";
export { POD_NETWORK, POD_NETWORK_OUTAGE } from "./birthTable";
export { canonicalJson } from "./canonicalJson";
export { rebootPaths, restartedServices } from "./changeEffects";
export { checkMachineConfigInput } from "./checkInput";
export {
  DEFAULT_DNS_DOMAIN,
  DEFAULT_POD_CIDRS,
  DEFAULT_POD_NETWORK,
  DEFAULT_SERVICE_CIDRS,
} from "./clusterDefaults";
export { comparableOutlines } from "./comparableOutlines";
export { type ComponentFile, componentFiles } from "./componentFiles/componentFiles";
export { type DecodeError, wordsOfDecoding } from "./componentFiles/decodeErrors";
export { judgeFile } from "./componentFiles/verdict";
export {
  componentTable,
  isInMinors,
  isKnownMinor,
  knownMinors,
  type KubernetesComponent,
  minorOfImage,
} from "./componentTable";
export { ConfigError } from "./configError";
export type { ConfigSchema, Field } from "./configSchema";
export { decodeDocuments, encodeDocuments } from "./encode";
export { etcdFlagTable } from "./etcdFlags";
export { freeze } from "./frozenMemo";
export { publicServiceAccountKey } from "./generate/acceptedServiceAccountKeys";
export { authentication, noAnonymous } from "./generate/apiServerDefaults";
export { generateMachineConfig } from "./generateMachineConfig";
export { hashDocuments } from "./hash";
export { hiddenValues } from "./hiddenValues";
export { type IneffectiveChange, ineffectiveChanges } from "./ineffectiveChanges";
export {
  awsSchematicId,
  checkInstallerOptions,
  installerImage,
  schematicInstaller,
} from "./installerImage";
export { isWithin, networksOverlap, parseNetwork } from "./ipNetwork";
export { kubeletSchemas } from "./kubeletSchemas";
export { LruCache } from "./lruCache";
export type { MachineType } from "./machineBasics";
export {
  type ConfigDocument,
  documentId,
  isMapping,
  mapMembers,
  textAt,
  type YamlValue,
} from "./machineConfig";
export { manifestInputs, type ManifestInputs, removedManifests } from "./manifestInputs";
export type { MarkedValues } from "./markedValues";
export { NEWEST_RELEASES } from "./newestReleases";
export { normalizeDocument } from "./normalize";
export { outlineDocuments } from "./outline";
export { applyPatches } from "./patch";
export { type Difference, differencesBetween, patchesOf } from "./patchBetween";
export { formatPath } from "./path";
export type { Platform } from "./platform";
export { quoteUrl } from "./quote";
export { contentOf } from "./readPatch";
export { generatedMark, redactDocuments } from "./redact";
export { deniedFlags, type FlaggedProgram } from "./rules/deniedFlags";
export { checkLabelValue, checkQualifiedName } from "./rules/names";
export { checkNodeMetadata, checkWorkerLabel, parseTaint } from "./rules/nodeMetadata";
export { isInDocuments } from "./sameForm";
export { schemaErrors } from "./schemaErrors";
export { withoutUserinfo } from "./secretUrl";
export { fieldsOfDocuments } from "./settings/fieldsOf";
export { valueAt } from "./settings/keyPaths";
export { itemDocument } from "./settings/namedKinds";
export { textIn, valueIn } from "./settings/settingIn";
export { plannedPatches } from "./settings/settingPatch";
export { isMixed, shownInput } from "./shownInputs";
export { suggest } from "./suggestion";
export { talosMinor } from "./talosMinor";
export {
  checkTalosVersion,
  newestSchema,
  releaseOfInstaller,
  schemaOfDocuments,
  talosSchema,
  talosSchemas,
} from "./talosSchemas";
export {
  describeSystem,
  installedMinor,
  installedSystem,
  isSameSystem,
  type TalosSystem,
} from "./talosSystem";
export { validateDocuments } from "./validate";
export {
  type ChosenDefaults,
  contractHas,
  versionContract,
  versionContracts,
} from "./versionContract";
export { plainOutline, shortenedTexts, withheldHash, withheldText } from "./withheld";
