const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

const SUBDOMAIN_WORDS =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const LABEL_WORDS =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const NAME_WORDS =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/**
 * Kubernetes' own words about a text that is no DNS name; empty for one. Source for this file:
 * k8s.io/apimachinery v0.37.2, pkg/util/validation and pkg/api/validate/content.
 */
export function checkSubdomain(text: string): string[] {
  return [
    ...tooLong(text, 253),
    ...(fits(text, SUBDOMAIN) ? [] : [SUBDOMAIN_WORDS + form(SUBDOMAIN, "example.com")]),
  ];
}

/** The same about a text that is no name of a namespace. */
export function checkLabel(text: string): string[] {
  return [
    ...tooLong(text, 63),
    ...(fits(text, LABEL) ? [] : [LABEL_WORDS + form(LABEL, "my-name", "123-abc")]),
  ];
}

/** The same about a text that is no key of a label. */
export function checkLabelKey(text: string): string[] {
  const parts = text.split("/");
  const examples = form(NAME, "MyName", "my.name", "123-abc");
  if (parts.length > 2) {
    return [
      `a valid label key ${NAME_WORDS}${examples} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const [name = "", prefix] = parts.reverse();
  return [
    ...(prefix === undefined
      ? []
      : prefix === ""
        ? ["prefix part must be non-empty"]
        : checkSubdomain(prefix).map((words) => `prefix part ${words}`)),
    ...(name === ""
      ? ["name part must be non-empty"]
      : tooLong(name, 63).map((words) => `name part ${words}`)),
    ...(fits(name, NAME) ? [] : [`name part ${NAME_WORDS}${examples}`]),
  ];
}

/** The same about a text that is no name of a resource of nodes that Kubernetes doesn't know itself. */
export function checkExtendedResource(text: string): string[] {
  const wrong = checkLabelKey(text);
  if (wrong.length > 0) {
    return wrong;
  }
  const isNative = !text.includes("/") || text.includes("kubernetes.io/");
  return isNative || text.startsWith("requests.") || checkLabelKey(`requests.${text}`).length > 0
    ? ["is an invalid extended resource name"]
    : [];
}

function fits(text: string, pattern: string): boolean {
  return new RegExp(`^${pattern}$`).test(text);
}

function tooLong(text: string, limit: number): string[] {
  return text.length > limit ? [`must be no more than ${limit} bytes`] : [];
}

function form(pattern: string, ...examples: readonly string[]): string {
  const told = examples.map((example) => `'${example}'`).join(",  or ");
  return ` (e.g. ${told}, regex used for validation is '${pattern}')`;
}
