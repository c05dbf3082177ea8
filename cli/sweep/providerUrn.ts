/** The URN in a reference to a provider, `<URN>::<id>`. */
export function providerUrn(reference: string): string {
  return reference.split("::").slice(0, -1).join("::");
}
