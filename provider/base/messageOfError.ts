/** The text of what was thrown, for people: an error's message, or the thrown value as text. */
export function messageOfError(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
