export { checkMembers } from "./checkShape";
export { joinPath } from "./memberNames";
export {
  functionArguments,
  isComponent,
  type MembersSchema,
  outputsOf,
  referredType,
  resourceArguments,
  resourceSchema,
  schemaText,
  type TypeSchema,
} from "./packageSchema";
export { unknownMembers } from "./unknownMembers";
export { choiceFor } from "./valueKinds";
export { asInSchema, type WrittenName } from "./writtenName";
