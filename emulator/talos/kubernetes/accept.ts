/** Forms of an answer a client takes, the best first. */
export interface Acceptance {
  readonly table: boolean;
  readonly json: boolean;
  readonly aggregatedDiscovery: "v2" | "v2beta1" | undefined;
}

/**
 * Reads an Accept header as kube-apiserver does: the first form in it that the server has is the
 * one that counts. Without a header JSON is taken.
 */
export function parseAccept(header: string | undefined): Acceptance {
  const forms = (header ?? "*/*").split(",").map((form) => form.trim().split(/\s*;\s*/));
  const isJson = ([type]: readonly string[]) =>
    type === "application/json" || type === "application/*" || type === "*/*";
  const isTable = (form: readonly string[]) =>
    isJson(form) && form.includes("as=Table") && form.includes("v=v1");
  const discovery = forms.find((form) => isJson(form) && form.includes("as=APIGroupDiscoveryList"));
  const first = forms.find(
    (form) => isTable(form) || (isJson(form) && !form.some((part) => part.startsWith("as="))),
  );
  return {
    table: first !== undefined && isTable(first),
    json: forms.some(isJson),
    aggregatedDiscovery: discovery && (discovery.includes("v=v2") ? "v2" : ("v2beta1" as const)),
  };
}
