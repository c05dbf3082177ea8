/** The sentences that apply. */
export function said(...sentences: readonly (string | false | undefined)[]): string[] {
  return sentences.filter((each) => typeof each === "string");
}
