/** A parameter of a call: lists and nested names as AWS documents them. */
export type Parameter =
  | string
  | number
  | boolean
  | undefined
  | readonly Parameter[]
  | { readonly [name: string]: Parameter };

/** A version of a launch template, as Auto Scaling names it. */
export interface TemplateVersion {
  readonly LaunchTemplateId?: string;
  readonly LaunchTemplateName?: string;
  readonly Version?: string;
}

/** Which machines a group with several types launches. */
export interface MixedInstancesPolicy {
  readonly LaunchTemplate?: {
    readonly LaunchTemplateSpecification?: TemplateVersion;
    readonly Overrides?: readonly {
      readonly InstanceType?: string;
      readonly LaunchTemplateSpecification?: TemplateVersion;
    }[];
  };
  readonly InstancesDistribution?: {
    readonly OnDemandAllocationStrategy?: string;
    readonly OnDemandBaseCapacity?: number;
    readonly OnDemandPercentageAboveBaseCapacity?: number;
    readonly SpotAllocationStrategy?: string;
    readonly SpotInstancePools?: number;
    readonly SpotMaxPrice?: string;
  };
}

/** A machine of a group. */
export interface GroupInstance {
  readonly InstanceId?: string;
  readonly InstanceType?: string;
  readonly AvailabilityZone?: string;
  readonly LifecycleState?: string;
  readonly HealthStatus?: string;
  readonly LaunchTemplate?: TemplateVersion;
  readonly ProtectedFromScaleIn?: boolean;
}

/** A tag of a group, and whether its machines get it too. */
export interface GroupTag {
  readonly Key?: string;
  readonly Value?: string;
  readonly PropagateAtLaunch?: boolean;
}

/** A group as DescribeAutoScalingGroups tells it. */
export interface AutoScalingGroup {
  readonly AutoScalingGroupName?: string;
  readonly AutoScalingGroupARN?: string;
  readonly LaunchTemplate?: TemplateVersion;
  readonly MixedInstancesPolicy?: MixedInstancesPolicy;
  readonly MinSize?: number;
  readonly MaxSize?: number;
  readonly DesiredCapacity?: number;
  readonly DefaultCooldown?: number;
  readonly DefaultInstanceWarmup?: number;
  readonly AvailabilityZones?: readonly string[];
  readonly TargetGroupARNs?: readonly string[];
  readonly HealthCheckType?: string;
  readonly HealthCheckGracePeriod?: number;
  readonly Instances?: readonly GroupInstance[];
  readonly SuspendedProcesses?: readonly { readonly ProcessName?: string }[];
  readonly PlacementGroup?: string;
  readonly VPCZoneIdentifier?: string;
  readonly EnabledMetrics?: readonly { readonly Metric?: string }[];
  readonly Tags?: readonly GroupTag[];
  readonly TerminationPolicies?: readonly string[];
  readonly NewInstancesProtectedFromScaleIn?: boolean;
  readonly ServiceLinkedRoleARN?: string;
  readonly MaxInstanceLifetime?: number;
  readonly CapacityRebalance?: boolean;
}

/** A replacement of a group's machines, under way or done. */
export interface InstanceRefresh {
  readonly InstanceRefreshId?: string;
  /** `Pending`, `InProgress`, `Successful`, `Failed` or `Cancelled`. */
  readonly Status?: string;
  readonly PercentageComplete?: number;
  readonly InstancesToUpdate?: number;
}

/** What the calls that are used answer. */
interface Answers {
  readonly AttachLoadBalancerTargetGroups: unknown;
  readonly CancelInstanceRefresh: { readonly InstanceRefreshId?: string };
  readonly CreateAutoScalingGroup: unknown;
  readonly CreateOrUpdateTags: unknown;
  readonly DeleteAutoScalingGroup: unknown;
  readonly DeleteTags: unknown;
  readonly DescribeAutoScalingGroups: { readonly AutoScalingGroups?: readonly AutoScalingGroup[] };
  readonly DescribeInstanceRefreshes: { readonly InstanceRefreshes?: readonly InstanceRefresh[] };
  readonly DetachLoadBalancerTargetGroups: unknown;
  readonly EnableMetricsCollection: unknown;
  readonly ResumeProcesses: unknown;
  readonly SetDesiredCapacity: unknown;
  readonly SetInstanceProtection: unknown;
  readonly StartInstanceRefresh: { readonly InstanceRefreshId?: string };
  readonly SuspendProcesses: unknown;
  readonly UpdateAutoScalingGroup: unknown;
}

/** The calls of Auto Scaling that are used. */
export type AutoScalingAction = keyof Answers;

/** Auto Scaling refused a call; `name` is the code AWS gives, such as `ValidationError`. */
export class AutoScalingError extends Error {
  constructor(
    override readonly name: string,
    message: string,
    readonly $metadata: { readonly httpStatusCode: number },
  ) {
    super(message);
  }
}

/**
 * Calls Auto Scaling's query interface, and asks for answers in JSON. It names who asks but signs
 * nothing: an emulated AWS takes anybody's word, and no other is spoken to.
 */
export class AutoScalingClient {
  constructor(
    private readonly settings: {
      readonly region: string;
      readonly endpoint: string;
      readonly accessKeyId: string;
    },
  ) {}

  /** @throws {AutoScalingError} when the call is refused. */
  async send<Action extends AutoScalingAction>(
    action: Action,
    parameters: Readonly<Record<string, Parameter>>,
  ): Promise<Answers[Action]> {
    const { endpoint, accessKeyId, region } = this.settings;
    const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
    const form = new URLSearchParams({
      Action: action,
      Version: "2011-01-01",
      ContentType: "JSON",
    });
    for (const [name, value] of Object.entries(parameters)) {
      append(form, name, value);
    }
    const response = await fetch(endpoint, {
      method: "POST",
      headers: {
        authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${today}/${region}/autoscaling/aws4_request, SignedHeaders=host, Signature=0`,
      },
      body: form,
    });
    const text = await response.text();
    if (!response.ok) {
      throw refusal(response.status, text);
    }
    const answer = JSON.parse(text) as Readonly<
      Record<string, Readonly<Record<string, Answers[Action]>> | undefined>
    >;
    return answer[`${action}Response`]?.[`${action}Result`] ?? {};
  }
}

function refusal(httpStatusCode: number, text: string): AutoScalingError {
  let told: { readonly Error?: { readonly Code?: string; readonly Message?: string } } = {};
  try {
    told = JSON.parse(text) as typeof told;
  } catch {
    // A server in trouble may answer with a page; its status has to do.
  }
  const { Code = "InternalFailure", Message = `status ${httpStatusCode}` } = told.Error ?? {};
  return new AutoScalingError(Code, Message, { httpStatusCode });
}

/** In the form of AWS' query interfaces: `Tags.member.1.Key=…`. */
function append(form: URLSearchParams, name: string, value: Parameter): void {
  if (value === undefined) {
    return;
  }
  if (typeof value !== "object") {
    form.append(name, String(value));
  } else if (isList(value)) {
    value.forEach((item, index) => append(form, `${name}.member.${index + 1}`, item));
  } else {
    for (const [key, inner] of Object.entries(value)) {
      append(form, `${name}.${key}`, inner);
    }
  }
}

function isList(value: object): value is readonly Parameter[] {
  return Array.isArray(value);
}
