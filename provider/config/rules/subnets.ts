import { isAddress, isCidr } from "../formats";
import type { Path } from "../path";
import type { DocumentView } from "./documentView";

/** Checks a list of networks or addresses, each optionally excluded with a `!`. */
export function checkSubnets(view: DocumentView, path: Path): void {
  for (const [where, subnet] of view.texts(...path)) {
    checkSubnet(view, where, subnet);
  }
}

/** Checks one network or address, optionally excluded with a `!`. */
export function checkSubnet(view: DocumentView, path: Path, subnet: string): void {
  const plain = subnet.replace(/^!/, "");
  if (!isCidr(plain) && !isAddress(plain)) {
    view.report(
      path,
      `${view.quote(...path)} is not a network or address, like 10.0.0.0/8 or !10.0.0.1`,
    );
  }
}
