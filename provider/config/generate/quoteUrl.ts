/** A URL for a message, without the user name and password that it may have in it. */
export function quoteUrl(url: string): string {
  return JSON.stringify(url.replace(/\/\/[^/?#]*@/, "//…@"));
}
