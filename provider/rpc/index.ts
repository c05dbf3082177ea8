export { failureMessages, type PartialResource, unary } from "./answers";
export {
  isMarked,
  messageOf,
  type Properties,
  propertiesOf,
  secretNames,
  secretValues,
} from "./properties";
