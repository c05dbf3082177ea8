// Why this room is as it is: docs/decisions/configuration.md.

export { admissionPlugins } from "./flags/admissionPlugins";
export { judgeAuthorities } from "./authorityPath";
export { birthChanges, type BirthValues, describeBirthChange } from "./birth/birthSettings";
export { POD_NETWORK, POD_NETWORK_OUTAGE } from "./birth/birthTable";
export { canonicalJson } from "./canonicalJson";
export { rebootPaths, restartedServices } from "./effects/changeEffects";
export { checkMachineConfigInput } from "./checkInput";
export {
  DEFAULT_DNS_DOMAIN,
  DEFAULT_POD_CIDRS,
  DEFAULT_POD_NETWORK,
  DEFAULT_SERVICE_CIDRS,
} from "./birth/clusterDefaults";
export { comparableOutlines } from "./effects/comparableOutlines";
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
} from "./flags/componentTable";
export { ConfigError } from "./configError";
export type { ConfigSchema, Field } from "./schema/configSchema";
export { decodeDocuments, encodeDocuments } from "./yaml/encode";
export { etcdFlagTable } from "./flags/etcdFlags";
export { freeze } from "./frozenMemo";
export { publicServiceAccountKey } from "./generate/acceptedServiceAccountKeys";
export { authentication, noAnonymous } from "./generate/apiServerDefaults";
export { generateMachineConfig } from "./generateMachineConfig";
export { hashDocuments } from "./hash";
export { keyArnProblem, SECRETBOX, talosWithoutKms } from "./generate/secretsEncryption";
export { hiddenValues } from "./secrets/hiddenValues";
export { imageProblem } from "./imageProblem";
export { type IneffectiveChange, ineffectiveChanges } from "./effects/ineffectiveChanges";
export {
  awsSchematicId,
  checkInstallerOptions,
  installerImage,
  schematicInstaller,
} from "./installer/installerImage";
export { isWithin, networksOverlap, parseNetwork } from "./schema/ipNetwork";
export { kubeletSchemas } from "./schema/kubeletSchemas";
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
export type { MarkedValues } from "./secrets/markedValues";
export { NEWEST_RELEASES } from "./releases/newestReleases";
export { normalizeDocument } from "./schema/normalize";
export { outlineDocuments } from "./effects/outline";
export { applyPatches } from "./patches/patch";
export { type Difference, differencesBetween, patchesOf } from "./patches/patchBetween";
export { formatPath } from "./path";
export type { Platform } from "./installer/platform";
export { quoteUrl } from "./secrets/quote";
export { contentOf } from "./patches/readPatch";
export { generatedMark, redactDocuments } from "./secrets/redact";
export { deniedFlags, type FlaggedProgram } from "./rules/deniedFlags";
export { checkLabelValue, checkQualifiedName } from "./rules/names";
export { checkNodeMetadata, checkWorkerLabel, parseTaint } from "./rules/nodeMetadata";
export { isInDocuments } from "./effects/sameForm";
export { schemaErrors } from "./schema/schemaErrors";
export { withoutUserinfo } from "./secrets/secretUrl";
export { fieldsOfDocuments } from "./settings/fieldsOf";
export { valueAt } from "./settings/keyPaths";
export { itemDocument } from "./settings/namedKinds";
export { textIn, valueIn } from "./settings/settingIn";
export { plannedPatches } from "./settings/settingPatch";
export { isMixed, shownInput } from "./secrets/shownInputs";
export { suggest } from "./suggestion";
export { talosMinor } from "./releases/talosMinor";
export {
  checkTalosVersion,
  newestSchema,
  releaseOfInstaller,
  schemaOfDocuments,
  talosSchema,
  talosSchemas,
} from "./schema/talosSchemas";
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
} from "./releases/versionContract";
export { plainOutline, shortenedTexts, withheldHash, withheldText } from "./secrets/withheld";
