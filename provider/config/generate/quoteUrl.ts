/** A quoted URL for a message, without its user name and password. */
export function quoteUrl(url: string): string {
  return JSON.stringify(url.replace(/\/\/[^/?#]*@/, "//…@"));
}
