// Why this room is as it is: docs/decisions/engine.md.

export { failureMessages, type PartialResource, unary } from "./answers";
export {
  isMarked,
  messageOf,
  type Properties,
  propertiesOf,
  secretNames,
  secretValues,
  SIGNATURE_KEY,
} from "./properties";
