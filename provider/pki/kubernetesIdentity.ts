/** The identity in a client certificate of the Kubernetes API. */
export interface KubernetesIdentity {
  /** The certificate's common name. */
  readonly user: string;
  /** Its organizations. */
  readonly groups: readonly string[];
}

/**
 * The group that may do everything, before any rule is checked: no role binding or admission policy
 * restricts its members.
 */
const ADMINISTRATORS = "system:masters";

/** The maximum length of a common name and of an organization (RFC 5280, appendix A.1). */
const MOST_CHARACTERS = 64;

/**
 * All problems of an identity. Names that begin with `system:` are reserved for Kubernetes, and
 * have the permissions of nodes and controllers (kubernetes.io, "Using RBAC Authorization":
 * referring to subjects).
 *
 * @param allowAdministrators whether the group `system:masters` is allowed
 * @returns problems by the name of the property
 */
export function checkKubernetesIdentity(
  { user, groups }: KubernetesIdentity,
  allowAdministrators: boolean,
): { property: "user" | `groups[${number}]`; reason: string }[] {
  const userReason = nameProblem(user, "user");
  return [
    ...(userReason === undefined ? [] : [{ property: "user" as const, reason: userReason }]),
    ...groups.flatMap((group, index) => {
      const reason =
        group === ADMINISTRATORS
          ? administratorsProblem(allowAdministrators)
          : nameProblem(group, "group");
      return reason === undefined ? [] : [{ property: `groups[${index}]` as const, reason }];
    }),
  ];
}

function administratorsProblem(isAllowed: boolean): string | undefined {
  return isAllowed
    ? undefined
    : `"${ADMINISTRATORS}" may do everything, whatever the cluster's rules say, until its certificate ends: bind a group of your own to a role, or set allowAdministrators`;
}

function nameProblem(name: string, what: "user" | "group"): string | undefined {
  if (name.trim() !== name || !/^[^\p{Cc}]+$/u.test(name) || name.length > MOST_CHARACTERS) {
    return `"${name}" is not a valid name of a ${what}: write 1 to ${MOST_CHARACTERS} characters, without space around them`;
  }
  return name.startsWith("system:")
    ? `"${name}" is reserved: names that begin with "system:" belong to Kubernetes; use another name`
    : undefined;
}
