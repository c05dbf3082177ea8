/**
 * Every action of AWS whose answer has user data in it: of machines, of launch templates, or of what
 * launches machines. User data has what machines join with, and with the delivery `userData` the
 * cluster's keys. Source: the actions in whose answers AWS' own service models have a member
 * `UserData` (botocore 1.44.8, of all services), besides those that return what their caller sends.
 */
export const USER_DATA_ACTIONS: readonly string[] = [
  "autoscaling:DescribeLaunchConfigurations",
  // A version can be made of an older one, which the answer then has too.
  "ec2:CreateLaunchTemplateVersion",
  "ec2:DescribeInstanceAttribute",
  "ec2:DescribeLaunchTemplateVersions",
  "ec2:DescribeSpotFleetRequests",
  "ec2:DescribeSpotInstanceRequests",
  "ec2:GetLaunchTemplateData",
  "securityhub:GetFindings",
];
