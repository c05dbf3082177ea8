// Original file: provider/api/proto/machine/machine.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ApplyConfigurationRequest as _machine_ApplyConfigurationRequest, ApplyConfigurationRequest__Output as _machine_ApplyConfigurationRequest__Output } from '../machine/ApplyConfigurationRequest';
import type { ApplyConfigurationResponse as _machine_ApplyConfigurationResponse, ApplyConfigurationResponse__Output as _machine_ApplyConfigurationResponse__Output } from '../machine/ApplyConfigurationResponse';
import type { BootstrapRequest as _machine_BootstrapRequest, BootstrapRequest__Output as _machine_BootstrapRequest__Output } from '../machine/BootstrapRequest';
import type { BootstrapResponse as _machine_BootstrapResponse, BootstrapResponse__Output as _machine_BootstrapResponse__Output } from '../machine/BootstrapResponse';
import type { CPUFreqStatsResponse as _machine_CPUFreqStatsResponse, CPUFreqStatsResponse__Output as _machine_CPUFreqStatsResponse__Output } from '../machine/CPUFreqStatsResponse';
import type { CPUInfoResponse as _machine_CPUInfoResponse, CPUInfoResponse__Output as _machine_CPUInfoResponse__Output } from '../machine/CPUInfoResponse';
import type { ContainersRequest as _machine_ContainersRequest, ContainersRequest__Output as _machine_ContainersRequest__Output } from '../machine/ContainersRequest';
import type { ContainersResponse as _machine_ContainersResponse, ContainersResponse__Output as _machine_ContainersResponse__Output } from '../machine/ContainersResponse';
import type { CopyRequest as _machine_CopyRequest, CopyRequest__Output as _machine_CopyRequest__Output } from '../machine/CopyRequest';
import type { Data as _common_Data, Data__Output as _common_Data__Output } from '../common/Data';
import type { DiskStatsResponse as _machine_DiskStatsResponse, DiskStatsResponse__Output as _machine_DiskStatsResponse__Output } from '../machine/DiskStatsResponse';
import type { DiskUsageInfo as _machine_DiskUsageInfo, DiskUsageInfo__Output as _machine_DiskUsageInfo__Output } from '../machine/DiskUsageInfo';
import type { DiskUsageRequest as _machine_DiskUsageRequest, DiskUsageRequest__Output as _machine_DiskUsageRequest__Output } from '../machine/DiskUsageRequest';
import type { DmesgRequest as _machine_DmesgRequest, DmesgRequest__Output as _machine_DmesgRequest__Output } from '../machine/DmesgRequest';
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../google/protobuf/Empty';
import type { EtcdAlarmDisarmResponse as _machine_EtcdAlarmDisarmResponse, EtcdAlarmDisarmResponse__Output as _machine_EtcdAlarmDisarmResponse__Output } from '../machine/EtcdAlarmDisarmResponse';
import type { EtcdAlarmListResponse as _machine_EtcdAlarmListResponse, EtcdAlarmListResponse__Output as _machine_EtcdAlarmListResponse__Output } from '../machine/EtcdAlarmListResponse';
import type { EtcdDefragmentResponse as _machine_EtcdDefragmentResponse, EtcdDefragmentResponse__Output as _machine_EtcdDefragmentResponse__Output } from '../machine/EtcdDefragmentResponse';
import type { EtcdDowngradeCancelResponse as _machine_EtcdDowngradeCancelResponse, EtcdDowngradeCancelResponse__Output as _machine_EtcdDowngradeCancelResponse__Output } from '../machine/EtcdDowngradeCancelResponse';
import type { EtcdDowngradeEnableRequest as _machine_EtcdDowngradeEnableRequest, EtcdDowngradeEnableRequest__Output as _machine_EtcdDowngradeEnableRequest__Output } from '../machine/EtcdDowngradeEnableRequest';
import type { EtcdDowngradeEnableResponse as _machine_EtcdDowngradeEnableResponse, EtcdDowngradeEnableResponse__Output as _machine_EtcdDowngradeEnableResponse__Output } from '../machine/EtcdDowngradeEnableResponse';
import type { EtcdDowngradeValidateRequest as _machine_EtcdDowngradeValidateRequest, EtcdDowngradeValidateRequest__Output as _machine_EtcdDowngradeValidateRequest__Output } from '../machine/EtcdDowngradeValidateRequest';
import type { EtcdDowngradeValidateResponse as _machine_EtcdDowngradeValidateResponse, EtcdDowngradeValidateResponse__Output as _machine_EtcdDowngradeValidateResponse__Output } from '../machine/EtcdDowngradeValidateResponse';
import type { EtcdForfeitLeadershipRequest as _machine_EtcdForfeitLeadershipRequest, EtcdForfeitLeadershipRequest__Output as _machine_EtcdForfeitLeadershipRequest__Output } from '../machine/EtcdForfeitLeadershipRequest';
import type { EtcdForfeitLeadershipResponse as _machine_EtcdForfeitLeadershipResponse, EtcdForfeitLeadershipResponse__Output as _machine_EtcdForfeitLeadershipResponse__Output } from '../machine/EtcdForfeitLeadershipResponse';
import type { EtcdLeaveClusterRequest as _machine_EtcdLeaveClusterRequest, EtcdLeaveClusterRequest__Output as _machine_EtcdLeaveClusterRequest__Output } from '../machine/EtcdLeaveClusterRequest';
import type { EtcdLeaveClusterResponse as _machine_EtcdLeaveClusterResponse, EtcdLeaveClusterResponse__Output as _machine_EtcdLeaveClusterResponse__Output } from '../machine/EtcdLeaveClusterResponse';
import type { EtcdMemberListRequest as _machine_EtcdMemberListRequest, EtcdMemberListRequest__Output as _machine_EtcdMemberListRequest__Output } from '../machine/EtcdMemberListRequest';
import type { EtcdMemberListResponse as _machine_EtcdMemberListResponse, EtcdMemberListResponse__Output as _machine_EtcdMemberListResponse__Output } from '../machine/EtcdMemberListResponse';
import type { EtcdRecoverResponse as _machine_EtcdRecoverResponse, EtcdRecoverResponse__Output as _machine_EtcdRecoverResponse__Output } from '../machine/EtcdRecoverResponse';
import type { EtcdRemoveMemberByIDRequest as _machine_EtcdRemoveMemberByIDRequest, EtcdRemoveMemberByIDRequest__Output as _machine_EtcdRemoveMemberByIDRequest__Output } from '../machine/EtcdRemoveMemberByIDRequest';
import type { EtcdRemoveMemberByIDResponse as _machine_EtcdRemoveMemberByIDResponse, EtcdRemoveMemberByIDResponse__Output as _machine_EtcdRemoveMemberByIDResponse__Output } from '../machine/EtcdRemoveMemberByIDResponse';
import type { EtcdSnapshotRequest as _machine_EtcdSnapshotRequest, EtcdSnapshotRequest__Output as _machine_EtcdSnapshotRequest__Output } from '../machine/EtcdSnapshotRequest';
import type { EtcdStatusResponse as _machine_EtcdStatusResponse, EtcdStatusResponse__Output as _machine_EtcdStatusResponse__Output } from '../machine/EtcdStatusResponse';
import type { Event as _machine_Event, Event__Output as _machine_Event__Output } from '../machine/Event';
import type { EventsRequest as _machine_EventsRequest, EventsRequest__Output as _machine_EventsRequest__Output } from '../machine/EventsRequest';
import type { FileInfo as _machine_FileInfo, FileInfo__Output as _machine_FileInfo__Output } from '../machine/FileInfo';
import type { GenerateClientConfigurationRequest as _machine_GenerateClientConfigurationRequest, GenerateClientConfigurationRequest__Output as _machine_GenerateClientConfigurationRequest__Output } from '../machine/GenerateClientConfigurationRequest';
import type { GenerateClientConfigurationResponse as _machine_GenerateClientConfigurationResponse, GenerateClientConfigurationResponse__Output as _machine_GenerateClientConfigurationResponse__Output } from '../machine/GenerateClientConfigurationResponse';
import type { HostnameResponse as _machine_HostnameResponse, HostnameResponse__Output as _machine_HostnameResponse__Output } from '../machine/HostnameResponse';
import type { ImageListRequest as _machine_ImageListRequest, ImageListRequest__Output as _machine_ImageListRequest__Output } from '../machine/ImageListRequest';
import type { ImageListResponse as _machine_ImageListResponse, ImageListResponse__Output as _machine_ImageListResponse__Output } from '../machine/ImageListResponse';
import type { ImagePullRequest as _machine_ImagePullRequest, ImagePullRequest__Output as _machine_ImagePullRequest__Output } from '../machine/ImagePullRequest';
import type { ImagePullResponse as _machine_ImagePullResponse, ImagePullResponse__Output as _machine_ImagePullResponse__Output } from '../machine/ImagePullResponse';
import type { ListRequest as _machine_ListRequest, ListRequest__Output as _machine_ListRequest__Output } from '../machine/ListRequest';
import type { LoadAvgResponse as _machine_LoadAvgResponse, LoadAvgResponse__Output as _machine_LoadAvgResponse__Output } from '../machine/LoadAvgResponse';
import type { LogsContainersResponse as _machine_LogsContainersResponse, LogsContainersResponse__Output as _machine_LogsContainersResponse__Output } from '../machine/LogsContainersResponse';
import type { LogsRequest as _machine_LogsRequest, LogsRequest__Output as _machine_LogsRequest__Output } from '../machine/LogsRequest';
import type { MemoryResponse as _machine_MemoryResponse, MemoryResponse__Output as _machine_MemoryResponse__Output } from '../machine/MemoryResponse';
import type { MetaDeleteRequest as _machine_MetaDeleteRequest, MetaDeleteRequest__Output as _machine_MetaDeleteRequest__Output } from '../machine/MetaDeleteRequest';
import type { MetaDeleteResponse as _machine_MetaDeleteResponse, MetaDeleteResponse__Output as _machine_MetaDeleteResponse__Output } from '../machine/MetaDeleteResponse';
import type { MetaWriteRequest as _machine_MetaWriteRequest, MetaWriteRequest__Output as _machine_MetaWriteRequest__Output } from '../machine/MetaWriteRequest';
import type { MetaWriteResponse as _machine_MetaWriteResponse, MetaWriteResponse__Output as _machine_MetaWriteResponse__Output } from '../machine/MetaWriteResponse';
import type { MountsResponse as _machine_MountsResponse, MountsResponse__Output as _machine_MountsResponse__Output } from '../machine/MountsResponse';
import type { NetstatRequest as _machine_NetstatRequest, NetstatRequest__Output as _machine_NetstatRequest__Output } from '../machine/NetstatRequest';
import type { NetstatResponse as _machine_NetstatResponse, NetstatResponse__Output as _machine_NetstatResponse__Output } from '../machine/NetstatResponse';
import type { NetworkDeviceStatsResponse as _machine_NetworkDeviceStatsResponse, NetworkDeviceStatsResponse__Output as _machine_NetworkDeviceStatsResponse__Output } from '../machine/NetworkDeviceStatsResponse';
import type { PacketCaptureRequest as _machine_PacketCaptureRequest, PacketCaptureRequest__Output as _machine_PacketCaptureRequest__Output } from '../machine/PacketCaptureRequest';
import type { ProcessesResponse as _machine_ProcessesResponse, ProcessesResponse__Output as _machine_ProcessesResponse__Output } from '../machine/ProcessesResponse';
import type { ReadRequest as _machine_ReadRequest, ReadRequest__Output as _machine_ReadRequest__Output } from '../machine/ReadRequest';
import type { RebootRequest as _machine_RebootRequest, RebootRequest__Output as _machine_RebootRequest__Output } from '../machine/RebootRequest';
import type { RebootResponse as _machine_RebootResponse, RebootResponse__Output as _machine_RebootResponse__Output } from '../machine/RebootResponse';
import type { ResetRequest as _machine_ResetRequest, ResetRequest__Output as _machine_ResetRequest__Output } from '../machine/ResetRequest';
import type { ResetResponse as _machine_ResetResponse, ResetResponse__Output as _machine_ResetResponse__Output } from '../machine/ResetResponse';
import type { RestartRequest as _machine_RestartRequest, RestartRequest__Output as _machine_RestartRequest__Output } from '../machine/RestartRequest';
import type { RestartResponse as _machine_RestartResponse, RestartResponse__Output as _machine_RestartResponse__Output } from '../machine/RestartResponse';
import type { RollbackRequest as _machine_RollbackRequest, RollbackRequest__Output as _machine_RollbackRequest__Output } from '../machine/RollbackRequest';
import type { RollbackResponse as _machine_RollbackResponse, RollbackResponse__Output as _machine_RollbackResponse__Output } from '../machine/RollbackResponse';
import type { ServiceListResponse as _machine_ServiceListResponse, ServiceListResponse__Output as _machine_ServiceListResponse__Output } from '../machine/ServiceListResponse';
import type { ServiceRestartRequest as _machine_ServiceRestartRequest, ServiceRestartRequest__Output as _machine_ServiceRestartRequest__Output } from '../machine/ServiceRestartRequest';
import type { ServiceRestartResponse as _machine_ServiceRestartResponse, ServiceRestartResponse__Output as _machine_ServiceRestartResponse__Output } from '../machine/ServiceRestartResponse';
import type { ServiceStartRequest as _machine_ServiceStartRequest, ServiceStartRequest__Output as _machine_ServiceStartRequest__Output } from '../machine/ServiceStartRequest';
import type { ServiceStartResponse as _machine_ServiceStartResponse, ServiceStartResponse__Output as _machine_ServiceStartResponse__Output } from '../machine/ServiceStartResponse';
import type { ServiceStopRequest as _machine_ServiceStopRequest, ServiceStopRequest__Output as _machine_ServiceStopRequest__Output } from '../machine/ServiceStopRequest';
import type { ServiceStopResponse as _machine_ServiceStopResponse, ServiceStopResponse__Output as _machine_ServiceStopResponse__Output } from '../machine/ServiceStopResponse';
import type { ShutdownRequest as _machine_ShutdownRequest, ShutdownRequest__Output as _machine_ShutdownRequest__Output } from '../machine/ShutdownRequest';
import type { ShutdownResponse as _machine_ShutdownResponse, ShutdownResponse__Output as _machine_ShutdownResponse__Output } from '../machine/ShutdownResponse';
import type { StatsRequest as _machine_StatsRequest, StatsRequest__Output as _machine_StatsRequest__Output } from '../machine/StatsRequest';
import type { StatsResponse as _machine_StatsResponse, StatsResponse__Output as _machine_StatsResponse__Output } from '../machine/StatsResponse';
import type { SystemStatResponse as _machine_SystemStatResponse, SystemStatResponse__Output as _machine_SystemStatResponse__Output } from '../machine/SystemStatResponse';
import type { UpgradeRequest as _machine_UpgradeRequest, UpgradeRequest__Output as _machine_UpgradeRequest__Output } from '../machine/UpgradeRequest';
import type { UpgradeResponse as _machine_UpgradeResponse, UpgradeResponse__Output as _machine_UpgradeResponse__Output } from '../machine/UpgradeResponse';
import type { VersionResponse as _machine_VersionResponse, VersionResponse__Output as _machine_VersionResponse__Output } from '../machine/VersionResponse';

export interface MachineServiceClient extends grpc.Client {
  ApplyConfiguration(argument: _machine_ApplyConfigurationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ApplyConfigurationResponse__Output>): grpc.ClientUnaryCall;
  ApplyConfiguration(argument: _machine_ApplyConfigurationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ApplyConfigurationResponse__Output>): grpc.ClientUnaryCall;
  ApplyConfiguration(argument: _machine_ApplyConfigurationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ApplyConfigurationResponse__Output>): grpc.ClientUnaryCall;
  ApplyConfiguration(argument: _machine_ApplyConfigurationRequest, callback: grpc.requestCallback<_machine_ApplyConfigurationResponse__Output>): grpc.ClientUnaryCall;
  applyConfiguration(argument: _machine_ApplyConfigurationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ApplyConfigurationResponse__Output>): grpc.ClientUnaryCall;
  applyConfiguration(argument: _machine_ApplyConfigurationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ApplyConfigurationResponse__Output>): grpc.ClientUnaryCall;
  applyConfiguration(argument: _machine_ApplyConfigurationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ApplyConfigurationResponse__Output>): grpc.ClientUnaryCall;
  applyConfiguration(argument: _machine_ApplyConfigurationRequest, callback: grpc.requestCallback<_machine_ApplyConfigurationResponse__Output>): grpc.ClientUnaryCall;
  
  Bootstrap(argument: _machine_BootstrapRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_BootstrapResponse__Output>): grpc.ClientUnaryCall;
  Bootstrap(argument: _machine_BootstrapRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_BootstrapResponse__Output>): grpc.ClientUnaryCall;
  Bootstrap(argument: _machine_BootstrapRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_BootstrapResponse__Output>): grpc.ClientUnaryCall;
  Bootstrap(argument: _machine_BootstrapRequest, callback: grpc.requestCallback<_machine_BootstrapResponse__Output>): grpc.ClientUnaryCall;
  bootstrap(argument: _machine_BootstrapRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_BootstrapResponse__Output>): grpc.ClientUnaryCall;
  bootstrap(argument: _machine_BootstrapRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_BootstrapResponse__Output>): grpc.ClientUnaryCall;
  bootstrap(argument: _machine_BootstrapRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_BootstrapResponse__Output>): grpc.ClientUnaryCall;
  bootstrap(argument: _machine_BootstrapRequest, callback: grpc.requestCallback<_machine_BootstrapResponse__Output>): grpc.ClientUnaryCall;
  
  CPUFreqStats(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_CPUFreqStatsResponse__Output>): grpc.ClientUnaryCall;
  CPUFreqStats(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_CPUFreqStatsResponse__Output>): grpc.ClientUnaryCall;
  CPUFreqStats(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_CPUFreqStatsResponse__Output>): grpc.ClientUnaryCall;
  CPUFreqStats(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_CPUFreqStatsResponse__Output>): grpc.ClientUnaryCall;
  cpuFreqStats(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_CPUFreqStatsResponse__Output>): grpc.ClientUnaryCall;
  cpuFreqStats(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_CPUFreqStatsResponse__Output>): grpc.ClientUnaryCall;
  cpuFreqStats(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_CPUFreqStatsResponse__Output>): grpc.ClientUnaryCall;
  cpuFreqStats(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_CPUFreqStatsResponse__Output>): grpc.ClientUnaryCall;
  
  CPUInfo(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_CPUInfoResponse__Output>): grpc.ClientUnaryCall;
  CPUInfo(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_CPUInfoResponse__Output>): grpc.ClientUnaryCall;
  CPUInfo(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_CPUInfoResponse__Output>): grpc.ClientUnaryCall;
  CPUInfo(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_CPUInfoResponse__Output>): grpc.ClientUnaryCall;
  cpuInfo(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_CPUInfoResponse__Output>): grpc.ClientUnaryCall;
  cpuInfo(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_CPUInfoResponse__Output>): grpc.ClientUnaryCall;
  cpuInfo(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_CPUInfoResponse__Output>): grpc.ClientUnaryCall;
  cpuInfo(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_CPUInfoResponse__Output>): grpc.ClientUnaryCall;
  
  Containers(argument: _machine_ContainersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ContainersResponse__Output>): grpc.ClientUnaryCall;
  Containers(argument: _machine_ContainersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ContainersResponse__Output>): grpc.ClientUnaryCall;
  Containers(argument: _machine_ContainersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ContainersResponse__Output>): grpc.ClientUnaryCall;
  Containers(argument: _machine_ContainersRequest, callback: grpc.requestCallback<_machine_ContainersResponse__Output>): grpc.ClientUnaryCall;
  containers(argument: _machine_ContainersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ContainersResponse__Output>): grpc.ClientUnaryCall;
  containers(argument: _machine_ContainersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ContainersResponse__Output>): grpc.ClientUnaryCall;
  containers(argument: _machine_ContainersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ContainersResponse__Output>): grpc.ClientUnaryCall;
  containers(argument: _machine_ContainersRequest, callback: grpc.requestCallback<_machine_ContainersResponse__Output>): grpc.ClientUnaryCall;
  
  Copy(argument: _machine_CopyRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  Copy(argument: _machine_CopyRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  copy(argument: _machine_CopyRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  copy(argument: _machine_CopyRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  
  DiskStats(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_DiskStatsResponse__Output>): grpc.ClientUnaryCall;
  DiskStats(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_DiskStatsResponse__Output>): grpc.ClientUnaryCall;
  DiskStats(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_DiskStatsResponse__Output>): grpc.ClientUnaryCall;
  DiskStats(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_DiskStatsResponse__Output>): grpc.ClientUnaryCall;
  diskStats(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_DiskStatsResponse__Output>): grpc.ClientUnaryCall;
  diskStats(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_DiskStatsResponse__Output>): grpc.ClientUnaryCall;
  diskStats(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_DiskStatsResponse__Output>): grpc.ClientUnaryCall;
  diskStats(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_DiskStatsResponse__Output>): grpc.ClientUnaryCall;
  
  DiskUsage(argument: _machine_DiskUsageRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_DiskUsageInfo__Output>;
  DiskUsage(argument: _machine_DiskUsageRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_DiskUsageInfo__Output>;
  diskUsage(argument: _machine_DiskUsageRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_DiskUsageInfo__Output>;
  diskUsage(argument: _machine_DiskUsageRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_DiskUsageInfo__Output>;
  
  Dmesg(argument: _machine_DmesgRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  Dmesg(argument: _machine_DmesgRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  dmesg(argument: _machine_DmesgRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  dmesg(argument: _machine_DmesgRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  
  EtcdAlarmDisarm(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdAlarmDisarmResponse__Output>): grpc.ClientUnaryCall;
  EtcdAlarmDisarm(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdAlarmDisarmResponse__Output>): grpc.ClientUnaryCall;
  EtcdAlarmDisarm(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdAlarmDisarmResponse__Output>): grpc.ClientUnaryCall;
  EtcdAlarmDisarm(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_EtcdAlarmDisarmResponse__Output>): grpc.ClientUnaryCall;
  etcdAlarmDisarm(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdAlarmDisarmResponse__Output>): grpc.ClientUnaryCall;
  etcdAlarmDisarm(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdAlarmDisarmResponse__Output>): grpc.ClientUnaryCall;
  etcdAlarmDisarm(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdAlarmDisarmResponse__Output>): grpc.ClientUnaryCall;
  etcdAlarmDisarm(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_EtcdAlarmDisarmResponse__Output>): grpc.ClientUnaryCall;
  
  EtcdAlarmList(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdAlarmListResponse__Output>): grpc.ClientUnaryCall;
  EtcdAlarmList(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdAlarmListResponse__Output>): grpc.ClientUnaryCall;
  EtcdAlarmList(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdAlarmListResponse__Output>): grpc.ClientUnaryCall;
  EtcdAlarmList(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_EtcdAlarmListResponse__Output>): grpc.ClientUnaryCall;
  etcdAlarmList(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdAlarmListResponse__Output>): grpc.ClientUnaryCall;
  etcdAlarmList(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdAlarmListResponse__Output>): grpc.ClientUnaryCall;
  etcdAlarmList(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdAlarmListResponse__Output>): grpc.ClientUnaryCall;
  etcdAlarmList(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_EtcdAlarmListResponse__Output>): grpc.ClientUnaryCall;
  
  EtcdDefragment(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdDefragmentResponse__Output>): grpc.ClientUnaryCall;
  EtcdDefragment(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdDefragmentResponse__Output>): grpc.ClientUnaryCall;
  EtcdDefragment(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdDefragmentResponse__Output>): grpc.ClientUnaryCall;
  EtcdDefragment(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_EtcdDefragmentResponse__Output>): grpc.ClientUnaryCall;
  etcdDefragment(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdDefragmentResponse__Output>): grpc.ClientUnaryCall;
  etcdDefragment(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdDefragmentResponse__Output>): grpc.ClientUnaryCall;
  etcdDefragment(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdDefragmentResponse__Output>): grpc.ClientUnaryCall;
  etcdDefragment(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_EtcdDefragmentResponse__Output>): grpc.ClientUnaryCall;
  
  EtcdDowngradeCancel(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdDowngradeCancelResponse__Output>): grpc.ClientUnaryCall;
  EtcdDowngradeCancel(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdDowngradeCancelResponse__Output>): grpc.ClientUnaryCall;
  EtcdDowngradeCancel(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdDowngradeCancelResponse__Output>): grpc.ClientUnaryCall;
  EtcdDowngradeCancel(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_EtcdDowngradeCancelResponse__Output>): grpc.ClientUnaryCall;
  etcdDowngradeCancel(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdDowngradeCancelResponse__Output>): grpc.ClientUnaryCall;
  etcdDowngradeCancel(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdDowngradeCancelResponse__Output>): grpc.ClientUnaryCall;
  etcdDowngradeCancel(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdDowngradeCancelResponse__Output>): grpc.ClientUnaryCall;
  etcdDowngradeCancel(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_EtcdDowngradeCancelResponse__Output>): grpc.ClientUnaryCall;
  
  EtcdDowngradeEnable(argument: _machine_EtcdDowngradeEnableRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdDowngradeEnableResponse__Output>): grpc.ClientUnaryCall;
  EtcdDowngradeEnable(argument: _machine_EtcdDowngradeEnableRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdDowngradeEnableResponse__Output>): grpc.ClientUnaryCall;
  EtcdDowngradeEnable(argument: _machine_EtcdDowngradeEnableRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdDowngradeEnableResponse__Output>): grpc.ClientUnaryCall;
  EtcdDowngradeEnable(argument: _machine_EtcdDowngradeEnableRequest, callback: grpc.requestCallback<_machine_EtcdDowngradeEnableResponse__Output>): grpc.ClientUnaryCall;
  etcdDowngradeEnable(argument: _machine_EtcdDowngradeEnableRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdDowngradeEnableResponse__Output>): grpc.ClientUnaryCall;
  etcdDowngradeEnable(argument: _machine_EtcdDowngradeEnableRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdDowngradeEnableResponse__Output>): grpc.ClientUnaryCall;
  etcdDowngradeEnable(argument: _machine_EtcdDowngradeEnableRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdDowngradeEnableResponse__Output>): grpc.ClientUnaryCall;
  etcdDowngradeEnable(argument: _machine_EtcdDowngradeEnableRequest, callback: grpc.requestCallback<_machine_EtcdDowngradeEnableResponse__Output>): grpc.ClientUnaryCall;
  
  EtcdDowngradeValidate(argument: _machine_EtcdDowngradeValidateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdDowngradeValidateResponse__Output>): grpc.ClientUnaryCall;
  EtcdDowngradeValidate(argument: _machine_EtcdDowngradeValidateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdDowngradeValidateResponse__Output>): grpc.ClientUnaryCall;
  EtcdDowngradeValidate(argument: _machine_EtcdDowngradeValidateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdDowngradeValidateResponse__Output>): grpc.ClientUnaryCall;
  EtcdDowngradeValidate(argument: _machine_EtcdDowngradeValidateRequest, callback: grpc.requestCallback<_machine_EtcdDowngradeValidateResponse__Output>): grpc.ClientUnaryCall;
  etcdDowngradeValidate(argument: _machine_EtcdDowngradeValidateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdDowngradeValidateResponse__Output>): grpc.ClientUnaryCall;
  etcdDowngradeValidate(argument: _machine_EtcdDowngradeValidateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdDowngradeValidateResponse__Output>): grpc.ClientUnaryCall;
  etcdDowngradeValidate(argument: _machine_EtcdDowngradeValidateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdDowngradeValidateResponse__Output>): grpc.ClientUnaryCall;
  etcdDowngradeValidate(argument: _machine_EtcdDowngradeValidateRequest, callback: grpc.requestCallback<_machine_EtcdDowngradeValidateResponse__Output>): grpc.ClientUnaryCall;
  
  EtcdForfeitLeadership(argument: _machine_EtcdForfeitLeadershipRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdForfeitLeadershipResponse__Output>): grpc.ClientUnaryCall;
  EtcdForfeitLeadership(argument: _machine_EtcdForfeitLeadershipRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdForfeitLeadershipResponse__Output>): grpc.ClientUnaryCall;
  EtcdForfeitLeadership(argument: _machine_EtcdForfeitLeadershipRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdForfeitLeadershipResponse__Output>): grpc.ClientUnaryCall;
  EtcdForfeitLeadership(argument: _machine_EtcdForfeitLeadershipRequest, callback: grpc.requestCallback<_machine_EtcdForfeitLeadershipResponse__Output>): grpc.ClientUnaryCall;
  etcdForfeitLeadership(argument: _machine_EtcdForfeitLeadershipRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdForfeitLeadershipResponse__Output>): grpc.ClientUnaryCall;
  etcdForfeitLeadership(argument: _machine_EtcdForfeitLeadershipRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdForfeitLeadershipResponse__Output>): grpc.ClientUnaryCall;
  etcdForfeitLeadership(argument: _machine_EtcdForfeitLeadershipRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdForfeitLeadershipResponse__Output>): grpc.ClientUnaryCall;
  etcdForfeitLeadership(argument: _machine_EtcdForfeitLeadershipRequest, callback: grpc.requestCallback<_machine_EtcdForfeitLeadershipResponse__Output>): grpc.ClientUnaryCall;
  
  EtcdLeaveCluster(argument: _machine_EtcdLeaveClusterRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdLeaveClusterResponse__Output>): grpc.ClientUnaryCall;
  EtcdLeaveCluster(argument: _machine_EtcdLeaveClusterRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdLeaveClusterResponse__Output>): grpc.ClientUnaryCall;
  EtcdLeaveCluster(argument: _machine_EtcdLeaveClusterRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdLeaveClusterResponse__Output>): grpc.ClientUnaryCall;
  EtcdLeaveCluster(argument: _machine_EtcdLeaveClusterRequest, callback: grpc.requestCallback<_machine_EtcdLeaveClusterResponse__Output>): grpc.ClientUnaryCall;
  etcdLeaveCluster(argument: _machine_EtcdLeaveClusterRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdLeaveClusterResponse__Output>): grpc.ClientUnaryCall;
  etcdLeaveCluster(argument: _machine_EtcdLeaveClusterRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdLeaveClusterResponse__Output>): grpc.ClientUnaryCall;
  etcdLeaveCluster(argument: _machine_EtcdLeaveClusterRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdLeaveClusterResponse__Output>): grpc.ClientUnaryCall;
  etcdLeaveCluster(argument: _machine_EtcdLeaveClusterRequest, callback: grpc.requestCallback<_machine_EtcdLeaveClusterResponse__Output>): grpc.ClientUnaryCall;
  
  EtcdMemberList(argument: _machine_EtcdMemberListRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdMemberListResponse__Output>): grpc.ClientUnaryCall;
  EtcdMemberList(argument: _machine_EtcdMemberListRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdMemberListResponse__Output>): grpc.ClientUnaryCall;
  EtcdMemberList(argument: _machine_EtcdMemberListRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdMemberListResponse__Output>): grpc.ClientUnaryCall;
  EtcdMemberList(argument: _machine_EtcdMemberListRequest, callback: grpc.requestCallback<_machine_EtcdMemberListResponse__Output>): grpc.ClientUnaryCall;
  etcdMemberList(argument: _machine_EtcdMemberListRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdMemberListResponse__Output>): grpc.ClientUnaryCall;
  etcdMemberList(argument: _machine_EtcdMemberListRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdMemberListResponse__Output>): grpc.ClientUnaryCall;
  etcdMemberList(argument: _machine_EtcdMemberListRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdMemberListResponse__Output>): grpc.ClientUnaryCall;
  etcdMemberList(argument: _machine_EtcdMemberListRequest, callback: grpc.requestCallback<_machine_EtcdMemberListResponse__Output>): grpc.ClientUnaryCall;
  
  EtcdRecover(metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdRecoverResponse__Output>): grpc.ClientWritableStream<_common_Data>;
  EtcdRecover(metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdRecoverResponse__Output>): grpc.ClientWritableStream<_common_Data>;
  EtcdRecover(options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdRecoverResponse__Output>): grpc.ClientWritableStream<_common_Data>;
  EtcdRecover(callback: grpc.requestCallback<_machine_EtcdRecoverResponse__Output>): grpc.ClientWritableStream<_common_Data>;
  etcdRecover(metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdRecoverResponse__Output>): grpc.ClientWritableStream<_common_Data>;
  etcdRecover(metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdRecoverResponse__Output>): grpc.ClientWritableStream<_common_Data>;
  etcdRecover(options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdRecoverResponse__Output>): grpc.ClientWritableStream<_common_Data>;
  etcdRecover(callback: grpc.requestCallback<_machine_EtcdRecoverResponse__Output>): grpc.ClientWritableStream<_common_Data>;
  
  EtcdRemoveMemberByID(argument: _machine_EtcdRemoveMemberByIDRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdRemoveMemberByIDResponse__Output>): grpc.ClientUnaryCall;
  EtcdRemoveMemberByID(argument: _machine_EtcdRemoveMemberByIDRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdRemoveMemberByIDResponse__Output>): grpc.ClientUnaryCall;
  EtcdRemoveMemberByID(argument: _machine_EtcdRemoveMemberByIDRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdRemoveMemberByIDResponse__Output>): grpc.ClientUnaryCall;
  EtcdRemoveMemberByID(argument: _machine_EtcdRemoveMemberByIDRequest, callback: grpc.requestCallback<_machine_EtcdRemoveMemberByIDResponse__Output>): grpc.ClientUnaryCall;
  etcdRemoveMemberById(argument: _machine_EtcdRemoveMemberByIDRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdRemoveMemberByIDResponse__Output>): grpc.ClientUnaryCall;
  etcdRemoveMemberById(argument: _machine_EtcdRemoveMemberByIDRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdRemoveMemberByIDResponse__Output>): grpc.ClientUnaryCall;
  etcdRemoveMemberById(argument: _machine_EtcdRemoveMemberByIDRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdRemoveMemberByIDResponse__Output>): grpc.ClientUnaryCall;
  etcdRemoveMemberById(argument: _machine_EtcdRemoveMemberByIDRequest, callback: grpc.requestCallback<_machine_EtcdRemoveMemberByIDResponse__Output>): grpc.ClientUnaryCall;
  
  EtcdSnapshot(argument: _machine_EtcdSnapshotRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  EtcdSnapshot(argument: _machine_EtcdSnapshotRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  etcdSnapshot(argument: _machine_EtcdSnapshotRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  etcdSnapshot(argument: _machine_EtcdSnapshotRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  
  EtcdStatus(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdStatusResponse__Output>): grpc.ClientUnaryCall;
  EtcdStatus(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdStatusResponse__Output>): grpc.ClientUnaryCall;
  EtcdStatus(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdStatusResponse__Output>): grpc.ClientUnaryCall;
  EtcdStatus(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_EtcdStatusResponse__Output>): grpc.ClientUnaryCall;
  etcdStatus(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdStatusResponse__Output>): grpc.ClientUnaryCall;
  etcdStatus(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_EtcdStatusResponse__Output>): grpc.ClientUnaryCall;
  etcdStatus(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_EtcdStatusResponse__Output>): grpc.ClientUnaryCall;
  etcdStatus(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_EtcdStatusResponse__Output>): grpc.ClientUnaryCall;
  
  Events(argument: _machine_EventsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_Event__Output>;
  Events(argument: _machine_EventsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_Event__Output>;
  events(argument: _machine_EventsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_Event__Output>;
  events(argument: _machine_EventsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_Event__Output>;
  
  GenerateClientConfiguration(argument: _machine_GenerateClientConfigurationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_GenerateClientConfigurationResponse__Output>): grpc.ClientUnaryCall;
  GenerateClientConfiguration(argument: _machine_GenerateClientConfigurationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_GenerateClientConfigurationResponse__Output>): grpc.ClientUnaryCall;
  GenerateClientConfiguration(argument: _machine_GenerateClientConfigurationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_GenerateClientConfigurationResponse__Output>): grpc.ClientUnaryCall;
  GenerateClientConfiguration(argument: _machine_GenerateClientConfigurationRequest, callback: grpc.requestCallback<_machine_GenerateClientConfigurationResponse__Output>): grpc.ClientUnaryCall;
  generateClientConfiguration(argument: _machine_GenerateClientConfigurationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_GenerateClientConfigurationResponse__Output>): grpc.ClientUnaryCall;
  generateClientConfiguration(argument: _machine_GenerateClientConfigurationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_GenerateClientConfigurationResponse__Output>): grpc.ClientUnaryCall;
  generateClientConfiguration(argument: _machine_GenerateClientConfigurationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_GenerateClientConfigurationResponse__Output>): grpc.ClientUnaryCall;
  generateClientConfiguration(argument: _machine_GenerateClientConfigurationRequest, callback: grpc.requestCallback<_machine_GenerateClientConfigurationResponse__Output>): grpc.ClientUnaryCall;
  
  Hostname(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_HostnameResponse__Output>): grpc.ClientUnaryCall;
  Hostname(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_HostnameResponse__Output>): grpc.ClientUnaryCall;
  Hostname(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_HostnameResponse__Output>): grpc.ClientUnaryCall;
  Hostname(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_HostnameResponse__Output>): grpc.ClientUnaryCall;
  hostname(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_HostnameResponse__Output>): grpc.ClientUnaryCall;
  hostname(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_HostnameResponse__Output>): grpc.ClientUnaryCall;
  hostname(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_HostnameResponse__Output>): grpc.ClientUnaryCall;
  hostname(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_HostnameResponse__Output>): grpc.ClientUnaryCall;
  
  ImageList(argument: _machine_ImageListRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_ImageListResponse__Output>;
  ImageList(argument: _machine_ImageListRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_ImageListResponse__Output>;
  imageList(argument: _machine_ImageListRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_ImageListResponse__Output>;
  imageList(argument: _machine_ImageListRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_ImageListResponse__Output>;
  
  ImagePull(argument: _machine_ImagePullRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ImagePullResponse__Output>): grpc.ClientUnaryCall;
  ImagePull(argument: _machine_ImagePullRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ImagePullResponse__Output>): grpc.ClientUnaryCall;
  ImagePull(argument: _machine_ImagePullRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ImagePullResponse__Output>): grpc.ClientUnaryCall;
  ImagePull(argument: _machine_ImagePullRequest, callback: grpc.requestCallback<_machine_ImagePullResponse__Output>): grpc.ClientUnaryCall;
  imagePull(argument: _machine_ImagePullRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ImagePullResponse__Output>): grpc.ClientUnaryCall;
  imagePull(argument: _machine_ImagePullRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ImagePullResponse__Output>): grpc.ClientUnaryCall;
  imagePull(argument: _machine_ImagePullRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ImagePullResponse__Output>): grpc.ClientUnaryCall;
  imagePull(argument: _machine_ImagePullRequest, callback: grpc.requestCallback<_machine_ImagePullResponse__Output>): grpc.ClientUnaryCall;
  
  Kubeconfig(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  Kubeconfig(argument: _google_protobuf_Empty, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  kubeconfig(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  kubeconfig(argument: _google_protobuf_Empty, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  
  List(argument: _machine_ListRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_FileInfo__Output>;
  List(argument: _machine_ListRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_FileInfo__Output>;
  list(argument: _machine_ListRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_FileInfo__Output>;
  list(argument: _machine_ListRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_FileInfo__Output>;
  
  LoadAvg(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_LoadAvgResponse__Output>): grpc.ClientUnaryCall;
  LoadAvg(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_LoadAvgResponse__Output>): grpc.ClientUnaryCall;
  LoadAvg(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_LoadAvgResponse__Output>): grpc.ClientUnaryCall;
  LoadAvg(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_LoadAvgResponse__Output>): grpc.ClientUnaryCall;
  loadAvg(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_LoadAvgResponse__Output>): grpc.ClientUnaryCall;
  loadAvg(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_LoadAvgResponse__Output>): grpc.ClientUnaryCall;
  loadAvg(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_LoadAvgResponse__Output>): grpc.ClientUnaryCall;
  loadAvg(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_LoadAvgResponse__Output>): grpc.ClientUnaryCall;
  
  Logs(argument: _machine_LogsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  Logs(argument: _machine_LogsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  logs(argument: _machine_LogsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  logs(argument: _machine_LogsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  
  LogsContainers(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_LogsContainersResponse__Output>): grpc.ClientUnaryCall;
  LogsContainers(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_LogsContainersResponse__Output>): grpc.ClientUnaryCall;
  LogsContainers(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_LogsContainersResponse__Output>): grpc.ClientUnaryCall;
  LogsContainers(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_LogsContainersResponse__Output>): grpc.ClientUnaryCall;
  logsContainers(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_LogsContainersResponse__Output>): grpc.ClientUnaryCall;
  logsContainers(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_LogsContainersResponse__Output>): grpc.ClientUnaryCall;
  logsContainers(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_LogsContainersResponse__Output>): grpc.ClientUnaryCall;
  logsContainers(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_LogsContainersResponse__Output>): grpc.ClientUnaryCall;
  
  Memory(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_MemoryResponse__Output>): grpc.ClientUnaryCall;
  Memory(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_MemoryResponse__Output>): grpc.ClientUnaryCall;
  Memory(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_MemoryResponse__Output>): grpc.ClientUnaryCall;
  Memory(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_MemoryResponse__Output>): grpc.ClientUnaryCall;
  memory(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_MemoryResponse__Output>): grpc.ClientUnaryCall;
  memory(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_MemoryResponse__Output>): grpc.ClientUnaryCall;
  memory(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_MemoryResponse__Output>): grpc.ClientUnaryCall;
  memory(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_MemoryResponse__Output>): grpc.ClientUnaryCall;
  
  MetaDelete(argument: _machine_MetaDeleteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_MetaDeleteResponse__Output>): grpc.ClientUnaryCall;
  MetaDelete(argument: _machine_MetaDeleteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_MetaDeleteResponse__Output>): grpc.ClientUnaryCall;
  MetaDelete(argument: _machine_MetaDeleteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_MetaDeleteResponse__Output>): grpc.ClientUnaryCall;
  MetaDelete(argument: _machine_MetaDeleteRequest, callback: grpc.requestCallback<_machine_MetaDeleteResponse__Output>): grpc.ClientUnaryCall;
  metaDelete(argument: _machine_MetaDeleteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_MetaDeleteResponse__Output>): grpc.ClientUnaryCall;
  metaDelete(argument: _machine_MetaDeleteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_MetaDeleteResponse__Output>): grpc.ClientUnaryCall;
  metaDelete(argument: _machine_MetaDeleteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_MetaDeleteResponse__Output>): grpc.ClientUnaryCall;
  metaDelete(argument: _machine_MetaDeleteRequest, callback: grpc.requestCallback<_machine_MetaDeleteResponse__Output>): grpc.ClientUnaryCall;
  
  MetaWrite(argument: _machine_MetaWriteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_MetaWriteResponse__Output>): grpc.ClientUnaryCall;
  MetaWrite(argument: _machine_MetaWriteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_MetaWriteResponse__Output>): grpc.ClientUnaryCall;
  MetaWrite(argument: _machine_MetaWriteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_MetaWriteResponse__Output>): grpc.ClientUnaryCall;
  MetaWrite(argument: _machine_MetaWriteRequest, callback: grpc.requestCallback<_machine_MetaWriteResponse__Output>): grpc.ClientUnaryCall;
  metaWrite(argument: _machine_MetaWriteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_MetaWriteResponse__Output>): grpc.ClientUnaryCall;
  metaWrite(argument: _machine_MetaWriteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_MetaWriteResponse__Output>): grpc.ClientUnaryCall;
  metaWrite(argument: _machine_MetaWriteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_MetaWriteResponse__Output>): grpc.ClientUnaryCall;
  metaWrite(argument: _machine_MetaWriteRequest, callback: grpc.requestCallback<_machine_MetaWriteResponse__Output>): grpc.ClientUnaryCall;
  
  Mounts(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_MountsResponse__Output>): grpc.ClientUnaryCall;
  Mounts(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_MountsResponse__Output>): grpc.ClientUnaryCall;
  Mounts(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_MountsResponse__Output>): grpc.ClientUnaryCall;
  Mounts(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_MountsResponse__Output>): grpc.ClientUnaryCall;
  mounts(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_MountsResponse__Output>): grpc.ClientUnaryCall;
  mounts(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_MountsResponse__Output>): grpc.ClientUnaryCall;
  mounts(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_MountsResponse__Output>): grpc.ClientUnaryCall;
  mounts(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_MountsResponse__Output>): grpc.ClientUnaryCall;
  
  Netstat(argument: _machine_NetstatRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_NetstatResponse__Output>): grpc.ClientUnaryCall;
  Netstat(argument: _machine_NetstatRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_NetstatResponse__Output>): grpc.ClientUnaryCall;
  Netstat(argument: _machine_NetstatRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_NetstatResponse__Output>): grpc.ClientUnaryCall;
  Netstat(argument: _machine_NetstatRequest, callback: grpc.requestCallback<_machine_NetstatResponse__Output>): grpc.ClientUnaryCall;
  netstat(argument: _machine_NetstatRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_NetstatResponse__Output>): grpc.ClientUnaryCall;
  netstat(argument: _machine_NetstatRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_NetstatResponse__Output>): grpc.ClientUnaryCall;
  netstat(argument: _machine_NetstatRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_NetstatResponse__Output>): grpc.ClientUnaryCall;
  netstat(argument: _machine_NetstatRequest, callback: grpc.requestCallback<_machine_NetstatResponse__Output>): grpc.ClientUnaryCall;
  
  NetworkDeviceStats(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_NetworkDeviceStatsResponse__Output>): grpc.ClientUnaryCall;
  NetworkDeviceStats(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_NetworkDeviceStatsResponse__Output>): grpc.ClientUnaryCall;
  NetworkDeviceStats(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_NetworkDeviceStatsResponse__Output>): grpc.ClientUnaryCall;
  NetworkDeviceStats(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_NetworkDeviceStatsResponse__Output>): grpc.ClientUnaryCall;
  networkDeviceStats(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_NetworkDeviceStatsResponse__Output>): grpc.ClientUnaryCall;
  networkDeviceStats(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_NetworkDeviceStatsResponse__Output>): grpc.ClientUnaryCall;
  networkDeviceStats(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_NetworkDeviceStatsResponse__Output>): grpc.ClientUnaryCall;
  networkDeviceStats(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_NetworkDeviceStatsResponse__Output>): grpc.ClientUnaryCall;
  
  PacketCapture(argument: _machine_PacketCaptureRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  PacketCapture(argument: _machine_PacketCaptureRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  packetCapture(argument: _machine_PacketCaptureRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  packetCapture(argument: _machine_PacketCaptureRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  
  Processes(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ProcessesResponse__Output>): grpc.ClientUnaryCall;
  Processes(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ProcessesResponse__Output>): grpc.ClientUnaryCall;
  Processes(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ProcessesResponse__Output>): grpc.ClientUnaryCall;
  Processes(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_ProcessesResponse__Output>): grpc.ClientUnaryCall;
  processes(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ProcessesResponse__Output>): grpc.ClientUnaryCall;
  processes(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ProcessesResponse__Output>): grpc.ClientUnaryCall;
  processes(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ProcessesResponse__Output>): grpc.ClientUnaryCall;
  processes(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_ProcessesResponse__Output>): grpc.ClientUnaryCall;
  
  Read(argument: _machine_ReadRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  Read(argument: _machine_ReadRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  read(argument: _machine_ReadRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  read(argument: _machine_ReadRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_Data__Output>;
  
  Reboot(argument: _machine_RebootRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_RebootResponse__Output>): grpc.ClientUnaryCall;
  Reboot(argument: _machine_RebootRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_RebootResponse__Output>): grpc.ClientUnaryCall;
  Reboot(argument: _machine_RebootRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_RebootResponse__Output>): grpc.ClientUnaryCall;
  Reboot(argument: _machine_RebootRequest, callback: grpc.requestCallback<_machine_RebootResponse__Output>): grpc.ClientUnaryCall;
  reboot(argument: _machine_RebootRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_RebootResponse__Output>): grpc.ClientUnaryCall;
  reboot(argument: _machine_RebootRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_RebootResponse__Output>): grpc.ClientUnaryCall;
  reboot(argument: _machine_RebootRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_RebootResponse__Output>): grpc.ClientUnaryCall;
  reboot(argument: _machine_RebootRequest, callback: grpc.requestCallback<_machine_RebootResponse__Output>): grpc.ClientUnaryCall;
  
  Reset(argument: _machine_ResetRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ResetResponse__Output>): grpc.ClientUnaryCall;
  Reset(argument: _machine_ResetRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ResetResponse__Output>): grpc.ClientUnaryCall;
  Reset(argument: _machine_ResetRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ResetResponse__Output>): grpc.ClientUnaryCall;
  Reset(argument: _machine_ResetRequest, callback: grpc.requestCallback<_machine_ResetResponse__Output>): grpc.ClientUnaryCall;
  reset(argument: _machine_ResetRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ResetResponse__Output>): grpc.ClientUnaryCall;
  reset(argument: _machine_ResetRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ResetResponse__Output>): grpc.ClientUnaryCall;
  reset(argument: _machine_ResetRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ResetResponse__Output>): grpc.ClientUnaryCall;
  reset(argument: _machine_ResetRequest, callback: grpc.requestCallback<_machine_ResetResponse__Output>): grpc.ClientUnaryCall;
  
  Restart(argument: _machine_RestartRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_RestartResponse__Output>): grpc.ClientUnaryCall;
  Restart(argument: _machine_RestartRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_RestartResponse__Output>): grpc.ClientUnaryCall;
  Restart(argument: _machine_RestartRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_RestartResponse__Output>): grpc.ClientUnaryCall;
  Restart(argument: _machine_RestartRequest, callback: grpc.requestCallback<_machine_RestartResponse__Output>): grpc.ClientUnaryCall;
  restart(argument: _machine_RestartRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_RestartResponse__Output>): grpc.ClientUnaryCall;
  restart(argument: _machine_RestartRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_RestartResponse__Output>): grpc.ClientUnaryCall;
  restart(argument: _machine_RestartRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_RestartResponse__Output>): grpc.ClientUnaryCall;
  restart(argument: _machine_RestartRequest, callback: grpc.requestCallback<_machine_RestartResponse__Output>): grpc.ClientUnaryCall;
  
  Rollback(argument: _machine_RollbackRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_RollbackResponse__Output>): grpc.ClientUnaryCall;
  Rollback(argument: _machine_RollbackRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_RollbackResponse__Output>): grpc.ClientUnaryCall;
  Rollback(argument: _machine_RollbackRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_RollbackResponse__Output>): grpc.ClientUnaryCall;
  Rollback(argument: _machine_RollbackRequest, callback: grpc.requestCallback<_machine_RollbackResponse__Output>): grpc.ClientUnaryCall;
  rollback(argument: _machine_RollbackRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_RollbackResponse__Output>): grpc.ClientUnaryCall;
  rollback(argument: _machine_RollbackRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_RollbackResponse__Output>): grpc.ClientUnaryCall;
  rollback(argument: _machine_RollbackRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_RollbackResponse__Output>): grpc.ClientUnaryCall;
  rollback(argument: _machine_RollbackRequest, callback: grpc.requestCallback<_machine_RollbackResponse__Output>): grpc.ClientUnaryCall;
  
  ServiceList(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ServiceListResponse__Output>): grpc.ClientUnaryCall;
  ServiceList(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ServiceListResponse__Output>): grpc.ClientUnaryCall;
  ServiceList(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ServiceListResponse__Output>): grpc.ClientUnaryCall;
  ServiceList(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_ServiceListResponse__Output>): grpc.ClientUnaryCall;
  serviceList(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ServiceListResponse__Output>): grpc.ClientUnaryCall;
  serviceList(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ServiceListResponse__Output>): grpc.ClientUnaryCall;
  serviceList(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ServiceListResponse__Output>): grpc.ClientUnaryCall;
  serviceList(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_ServiceListResponse__Output>): grpc.ClientUnaryCall;
  
  ServiceRestart(argument: _machine_ServiceRestartRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ServiceRestartResponse__Output>): grpc.ClientUnaryCall;
  ServiceRestart(argument: _machine_ServiceRestartRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ServiceRestartResponse__Output>): grpc.ClientUnaryCall;
  ServiceRestart(argument: _machine_ServiceRestartRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ServiceRestartResponse__Output>): grpc.ClientUnaryCall;
  ServiceRestart(argument: _machine_ServiceRestartRequest, callback: grpc.requestCallback<_machine_ServiceRestartResponse__Output>): grpc.ClientUnaryCall;
  serviceRestart(argument: _machine_ServiceRestartRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ServiceRestartResponse__Output>): grpc.ClientUnaryCall;
  serviceRestart(argument: _machine_ServiceRestartRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ServiceRestartResponse__Output>): grpc.ClientUnaryCall;
  serviceRestart(argument: _machine_ServiceRestartRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ServiceRestartResponse__Output>): grpc.ClientUnaryCall;
  serviceRestart(argument: _machine_ServiceRestartRequest, callback: grpc.requestCallback<_machine_ServiceRestartResponse__Output>): grpc.ClientUnaryCall;
  
  ServiceStart(argument: _machine_ServiceStartRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ServiceStartResponse__Output>): grpc.ClientUnaryCall;
  ServiceStart(argument: _machine_ServiceStartRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ServiceStartResponse__Output>): grpc.ClientUnaryCall;
  ServiceStart(argument: _machine_ServiceStartRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ServiceStartResponse__Output>): grpc.ClientUnaryCall;
  ServiceStart(argument: _machine_ServiceStartRequest, callback: grpc.requestCallback<_machine_ServiceStartResponse__Output>): grpc.ClientUnaryCall;
  serviceStart(argument: _machine_ServiceStartRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ServiceStartResponse__Output>): grpc.ClientUnaryCall;
  serviceStart(argument: _machine_ServiceStartRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ServiceStartResponse__Output>): grpc.ClientUnaryCall;
  serviceStart(argument: _machine_ServiceStartRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ServiceStartResponse__Output>): grpc.ClientUnaryCall;
  serviceStart(argument: _machine_ServiceStartRequest, callback: grpc.requestCallback<_machine_ServiceStartResponse__Output>): grpc.ClientUnaryCall;
  
  ServiceStop(argument: _machine_ServiceStopRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ServiceStopResponse__Output>): grpc.ClientUnaryCall;
  ServiceStop(argument: _machine_ServiceStopRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ServiceStopResponse__Output>): grpc.ClientUnaryCall;
  ServiceStop(argument: _machine_ServiceStopRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ServiceStopResponse__Output>): grpc.ClientUnaryCall;
  ServiceStop(argument: _machine_ServiceStopRequest, callback: grpc.requestCallback<_machine_ServiceStopResponse__Output>): grpc.ClientUnaryCall;
  serviceStop(argument: _machine_ServiceStopRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ServiceStopResponse__Output>): grpc.ClientUnaryCall;
  serviceStop(argument: _machine_ServiceStopRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ServiceStopResponse__Output>): grpc.ClientUnaryCall;
  serviceStop(argument: _machine_ServiceStopRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ServiceStopResponse__Output>): grpc.ClientUnaryCall;
  serviceStop(argument: _machine_ServiceStopRequest, callback: grpc.requestCallback<_machine_ServiceStopResponse__Output>): grpc.ClientUnaryCall;
  
  Shutdown(argument: _machine_ShutdownRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ShutdownResponse__Output>): grpc.ClientUnaryCall;
  Shutdown(argument: _machine_ShutdownRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ShutdownResponse__Output>): grpc.ClientUnaryCall;
  Shutdown(argument: _machine_ShutdownRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ShutdownResponse__Output>): grpc.ClientUnaryCall;
  Shutdown(argument: _machine_ShutdownRequest, callback: grpc.requestCallback<_machine_ShutdownResponse__Output>): grpc.ClientUnaryCall;
  shutdown(argument: _machine_ShutdownRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ShutdownResponse__Output>): grpc.ClientUnaryCall;
  shutdown(argument: _machine_ShutdownRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ShutdownResponse__Output>): grpc.ClientUnaryCall;
  shutdown(argument: _machine_ShutdownRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ShutdownResponse__Output>): grpc.ClientUnaryCall;
  shutdown(argument: _machine_ShutdownRequest, callback: grpc.requestCallback<_machine_ShutdownResponse__Output>): grpc.ClientUnaryCall;
  
  Stats(argument: _machine_StatsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_StatsResponse__Output>): grpc.ClientUnaryCall;
  Stats(argument: _machine_StatsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_StatsResponse__Output>): grpc.ClientUnaryCall;
  Stats(argument: _machine_StatsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_StatsResponse__Output>): grpc.ClientUnaryCall;
  Stats(argument: _machine_StatsRequest, callback: grpc.requestCallback<_machine_StatsResponse__Output>): grpc.ClientUnaryCall;
  stats(argument: _machine_StatsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_StatsResponse__Output>): grpc.ClientUnaryCall;
  stats(argument: _machine_StatsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_StatsResponse__Output>): grpc.ClientUnaryCall;
  stats(argument: _machine_StatsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_StatsResponse__Output>): grpc.ClientUnaryCall;
  stats(argument: _machine_StatsRequest, callback: grpc.requestCallback<_machine_StatsResponse__Output>): grpc.ClientUnaryCall;
  
  SystemStat(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_SystemStatResponse__Output>): grpc.ClientUnaryCall;
  SystemStat(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_SystemStatResponse__Output>): grpc.ClientUnaryCall;
  SystemStat(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_SystemStatResponse__Output>): grpc.ClientUnaryCall;
  SystemStat(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_SystemStatResponse__Output>): grpc.ClientUnaryCall;
  systemStat(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_SystemStatResponse__Output>): grpc.ClientUnaryCall;
  systemStat(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_SystemStatResponse__Output>): grpc.ClientUnaryCall;
  systemStat(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_SystemStatResponse__Output>): grpc.ClientUnaryCall;
  systemStat(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_SystemStatResponse__Output>): grpc.ClientUnaryCall;
  
  Upgrade(argument: _machine_UpgradeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_UpgradeResponse__Output>): grpc.ClientUnaryCall;
  Upgrade(argument: _machine_UpgradeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_UpgradeResponse__Output>): grpc.ClientUnaryCall;
  Upgrade(argument: _machine_UpgradeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_UpgradeResponse__Output>): grpc.ClientUnaryCall;
  Upgrade(argument: _machine_UpgradeRequest, callback: grpc.requestCallback<_machine_UpgradeResponse__Output>): grpc.ClientUnaryCall;
  upgrade(argument: _machine_UpgradeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_UpgradeResponse__Output>): grpc.ClientUnaryCall;
  upgrade(argument: _machine_UpgradeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_UpgradeResponse__Output>): grpc.ClientUnaryCall;
  upgrade(argument: _machine_UpgradeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_UpgradeResponse__Output>): grpc.ClientUnaryCall;
  upgrade(argument: _machine_UpgradeRequest, callback: grpc.requestCallback<_machine_UpgradeResponse__Output>): grpc.ClientUnaryCall;
  
  Version(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_VersionResponse__Output>): grpc.ClientUnaryCall;
  Version(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_VersionResponse__Output>): grpc.ClientUnaryCall;
  Version(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_VersionResponse__Output>): grpc.ClientUnaryCall;
  Version(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_VersionResponse__Output>): grpc.ClientUnaryCall;
  version(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_VersionResponse__Output>): grpc.ClientUnaryCall;
  version(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_VersionResponse__Output>): grpc.ClientUnaryCall;
  version(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_VersionResponse__Output>): grpc.ClientUnaryCall;
  version(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_machine_VersionResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface MachineServiceHandlers extends grpc.UntypedServiceImplementation {
  ApplyConfiguration: grpc.handleUnaryCall<_machine_ApplyConfigurationRequest__Output, _machine_ApplyConfigurationResponse>;
  
  Bootstrap: grpc.handleUnaryCall<_machine_BootstrapRequest__Output, _machine_BootstrapResponse>;
  
  CPUFreqStats: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_CPUFreqStatsResponse>;
  
  CPUInfo: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_CPUInfoResponse>;
  
  Containers: grpc.handleUnaryCall<_machine_ContainersRequest__Output, _machine_ContainersResponse>;
  
  Copy: grpc.handleServerStreamingCall<_machine_CopyRequest__Output, _common_Data>;
  
  DiskStats: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_DiskStatsResponse>;
  
  DiskUsage: grpc.handleServerStreamingCall<_machine_DiskUsageRequest__Output, _machine_DiskUsageInfo>;
  
  Dmesg: grpc.handleServerStreamingCall<_machine_DmesgRequest__Output, _common_Data>;
  
  EtcdAlarmDisarm: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_EtcdAlarmDisarmResponse>;
  
  EtcdAlarmList: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_EtcdAlarmListResponse>;
  
  EtcdDefragment: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_EtcdDefragmentResponse>;
  
  EtcdDowngradeCancel: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_EtcdDowngradeCancelResponse>;
  
  EtcdDowngradeEnable: grpc.handleUnaryCall<_machine_EtcdDowngradeEnableRequest__Output, _machine_EtcdDowngradeEnableResponse>;
  
  EtcdDowngradeValidate: grpc.handleUnaryCall<_machine_EtcdDowngradeValidateRequest__Output, _machine_EtcdDowngradeValidateResponse>;
  
  EtcdForfeitLeadership: grpc.handleUnaryCall<_machine_EtcdForfeitLeadershipRequest__Output, _machine_EtcdForfeitLeadershipResponse>;
  
  EtcdLeaveCluster: grpc.handleUnaryCall<_machine_EtcdLeaveClusterRequest__Output, _machine_EtcdLeaveClusterResponse>;
  
  EtcdMemberList: grpc.handleUnaryCall<_machine_EtcdMemberListRequest__Output, _machine_EtcdMemberListResponse>;
  
  EtcdRecover: grpc.handleClientStreamingCall<_common_Data__Output, _machine_EtcdRecoverResponse>;
  
  EtcdRemoveMemberByID: grpc.handleUnaryCall<_machine_EtcdRemoveMemberByIDRequest__Output, _machine_EtcdRemoveMemberByIDResponse>;
  
  EtcdSnapshot: grpc.handleServerStreamingCall<_machine_EtcdSnapshotRequest__Output, _common_Data>;
  
  EtcdStatus: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_EtcdStatusResponse>;
  
  Events: grpc.handleServerStreamingCall<_machine_EventsRequest__Output, _machine_Event>;
  
  GenerateClientConfiguration: grpc.handleUnaryCall<_machine_GenerateClientConfigurationRequest__Output, _machine_GenerateClientConfigurationResponse>;
  
  Hostname: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_HostnameResponse>;
  
  ImageList: grpc.handleServerStreamingCall<_machine_ImageListRequest__Output, _machine_ImageListResponse>;
  
  ImagePull: grpc.handleUnaryCall<_machine_ImagePullRequest__Output, _machine_ImagePullResponse>;
  
  Kubeconfig: grpc.handleServerStreamingCall<_google_protobuf_Empty__Output, _common_Data>;
  
  List: grpc.handleServerStreamingCall<_machine_ListRequest__Output, _machine_FileInfo>;
  
  LoadAvg: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_LoadAvgResponse>;
  
  Logs: grpc.handleServerStreamingCall<_machine_LogsRequest__Output, _common_Data>;
  
  LogsContainers: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_LogsContainersResponse>;
  
  Memory: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_MemoryResponse>;
  
  MetaDelete: grpc.handleUnaryCall<_machine_MetaDeleteRequest__Output, _machine_MetaDeleteResponse>;
  
  MetaWrite: grpc.handleUnaryCall<_machine_MetaWriteRequest__Output, _machine_MetaWriteResponse>;
  
  Mounts: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_MountsResponse>;
  
  Netstat: grpc.handleUnaryCall<_machine_NetstatRequest__Output, _machine_NetstatResponse>;
  
  NetworkDeviceStats: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_NetworkDeviceStatsResponse>;
  
  PacketCapture: grpc.handleServerStreamingCall<_machine_PacketCaptureRequest__Output, _common_Data>;
  
  Processes: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_ProcessesResponse>;
  
  Read: grpc.handleServerStreamingCall<_machine_ReadRequest__Output, _common_Data>;
  
  Reboot: grpc.handleUnaryCall<_machine_RebootRequest__Output, _machine_RebootResponse>;
  
  Reset: grpc.handleUnaryCall<_machine_ResetRequest__Output, _machine_ResetResponse>;
  
  Restart: grpc.handleUnaryCall<_machine_RestartRequest__Output, _machine_RestartResponse>;
  
  Rollback: grpc.handleUnaryCall<_machine_RollbackRequest__Output, _machine_RollbackResponse>;
  
  ServiceList: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_ServiceListResponse>;
  
  ServiceRestart: grpc.handleUnaryCall<_machine_ServiceRestartRequest__Output, _machine_ServiceRestartResponse>;
  
  ServiceStart: grpc.handleUnaryCall<_machine_ServiceStartRequest__Output, _machine_ServiceStartResponse>;
  
  ServiceStop: grpc.handleUnaryCall<_machine_ServiceStopRequest__Output, _machine_ServiceStopResponse>;
  
  Shutdown: grpc.handleUnaryCall<_machine_ShutdownRequest__Output, _machine_ShutdownResponse>;
  
  Stats: grpc.handleUnaryCall<_machine_StatsRequest__Output, _machine_StatsResponse>;
  
  SystemStat: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_SystemStatResponse>;
  
  Upgrade: grpc.handleUnaryCall<_machine_UpgradeRequest__Output, _machine_UpgradeResponse>;
  
  Version: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _machine_VersionResponse>;
  
}

export interface MachineServiceDefinition extends grpc.ServiceDefinition {
  ApplyConfiguration: MethodDefinition<_machine_ApplyConfigurationRequest, _machine_ApplyConfigurationResponse, _machine_ApplyConfigurationRequest__Output, _machine_ApplyConfigurationResponse__Output>
  Bootstrap: MethodDefinition<_machine_BootstrapRequest, _machine_BootstrapResponse, _machine_BootstrapRequest__Output, _machine_BootstrapResponse__Output>
  CPUFreqStats: MethodDefinition<_google_protobuf_Empty, _machine_CPUFreqStatsResponse, _google_protobuf_Empty__Output, _machine_CPUFreqStatsResponse__Output>
  CPUInfo: MethodDefinition<_google_protobuf_Empty, _machine_CPUInfoResponse, _google_protobuf_Empty__Output, _machine_CPUInfoResponse__Output>
  Containers: MethodDefinition<_machine_ContainersRequest, _machine_ContainersResponse, _machine_ContainersRequest__Output, _machine_ContainersResponse__Output>
  Copy: MethodDefinition<_machine_CopyRequest, _common_Data, _machine_CopyRequest__Output, _common_Data__Output>
  DiskStats: MethodDefinition<_google_protobuf_Empty, _machine_DiskStatsResponse, _google_protobuf_Empty__Output, _machine_DiskStatsResponse__Output>
  DiskUsage: MethodDefinition<_machine_DiskUsageRequest, _machine_DiskUsageInfo, _machine_DiskUsageRequest__Output, _machine_DiskUsageInfo__Output>
  Dmesg: MethodDefinition<_machine_DmesgRequest, _common_Data, _machine_DmesgRequest__Output, _common_Data__Output>
  EtcdAlarmDisarm: MethodDefinition<_google_protobuf_Empty, _machine_EtcdAlarmDisarmResponse, _google_protobuf_Empty__Output, _machine_EtcdAlarmDisarmResponse__Output>
  EtcdAlarmList: MethodDefinition<_google_protobuf_Empty, _machine_EtcdAlarmListResponse, _google_protobuf_Empty__Output, _machine_EtcdAlarmListResponse__Output>
  EtcdDefragment: MethodDefinition<_google_protobuf_Empty, _machine_EtcdDefragmentResponse, _google_protobuf_Empty__Output, _machine_EtcdDefragmentResponse__Output>
  EtcdDowngradeCancel: MethodDefinition<_google_protobuf_Empty, _machine_EtcdDowngradeCancelResponse, _google_protobuf_Empty__Output, _machine_EtcdDowngradeCancelResponse__Output>
  EtcdDowngradeEnable: MethodDefinition<_machine_EtcdDowngradeEnableRequest, _machine_EtcdDowngradeEnableResponse, _machine_EtcdDowngradeEnableRequest__Output, _machine_EtcdDowngradeEnableResponse__Output>
  EtcdDowngradeValidate: MethodDefinition<_machine_EtcdDowngradeValidateRequest, _machine_EtcdDowngradeValidateResponse, _machine_EtcdDowngradeValidateRequest__Output, _machine_EtcdDowngradeValidateResponse__Output>
  EtcdForfeitLeadership: MethodDefinition<_machine_EtcdForfeitLeadershipRequest, _machine_EtcdForfeitLeadershipResponse, _machine_EtcdForfeitLeadershipRequest__Output, _machine_EtcdForfeitLeadershipResponse__Output>
  EtcdLeaveCluster: MethodDefinition<_machine_EtcdLeaveClusterRequest, _machine_EtcdLeaveClusterResponse, _machine_EtcdLeaveClusterRequest__Output, _machine_EtcdLeaveClusterResponse__Output>
  EtcdMemberList: MethodDefinition<_machine_EtcdMemberListRequest, _machine_EtcdMemberListResponse, _machine_EtcdMemberListRequest__Output, _machine_EtcdMemberListResponse__Output>
  EtcdRecover: MethodDefinition<_common_Data, _machine_EtcdRecoverResponse, _common_Data__Output, _machine_EtcdRecoverResponse__Output>
  EtcdRemoveMemberByID: MethodDefinition<_machine_EtcdRemoveMemberByIDRequest, _machine_EtcdRemoveMemberByIDResponse, _machine_EtcdRemoveMemberByIDRequest__Output, _machine_EtcdRemoveMemberByIDResponse__Output>
  EtcdSnapshot: MethodDefinition<_machine_EtcdSnapshotRequest, _common_Data, _machine_EtcdSnapshotRequest__Output, _common_Data__Output>
  EtcdStatus: MethodDefinition<_google_protobuf_Empty, _machine_EtcdStatusResponse, _google_protobuf_Empty__Output, _machine_EtcdStatusResponse__Output>
  Events: MethodDefinition<_machine_EventsRequest, _machine_Event, _machine_EventsRequest__Output, _machine_Event__Output>
  GenerateClientConfiguration: MethodDefinition<_machine_GenerateClientConfigurationRequest, _machine_GenerateClientConfigurationResponse, _machine_GenerateClientConfigurationRequest__Output, _machine_GenerateClientConfigurationResponse__Output>
  Hostname: MethodDefinition<_google_protobuf_Empty, _machine_HostnameResponse, _google_protobuf_Empty__Output, _machine_HostnameResponse__Output>
  ImageList: MethodDefinition<_machine_ImageListRequest, _machine_ImageListResponse, _machine_ImageListRequest__Output, _machine_ImageListResponse__Output>
  ImagePull: MethodDefinition<_machine_ImagePullRequest, _machine_ImagePullResponse, _machine_ImagePullRequest__Output, _machine_ImagePullResponse__Output>
  Kubeconfig: MethodDefinition<_google_protobuf_Empty, _common_Data, _google_protobuf_Empty__Output, _common_Data__Output>
  List: MethodDefinition<_machine_ListRequest, _machine_FileInfo, _machine_ListRequest__Output, _machine_FileInfo__Output>
  LoadAvg: MethodDefinition<_google_protobuf_Empty, _machine_LoadAvgResponse, _google_protobuf_Empty__Output, _machine_LoadAvgResponse__Output>
  Logs: MethodDefinition<_machine_LogsRequest, _common_Data, _machine_LogsRequest__Output, _common_Data__Output>
  LogsContainers: MethodDefinition<_google_protobuf_Empty, _machine_LogsContainersResponse, _google_protobuf_Empty__Output, _machine_LogsContainersResponse__Output>
  Memory: MethodDefinition<_google_protobuf_Empty, _machine_MemoryResponse, _google_protobuf_Empty__Output, _machine_MemoryResponse__Output>
  MetaDelete: MethodDefinition<_machine_MetaDeleteRequest, _machine_MetaDeleteResponse, _machine_MetaDeleteRequest__Output, _machine_MetaDeleteResponse__Output>
  MetaWrite: MethodDefinition<_machine_MetaWriteRequest, _machine_MetaWriteResponse, _machine_MetaWriteRequest__Output, _machine_MetaWriteResponse__Output>
  Mounts: MethodDefinition<_google_protobuf_Empty, _machine_MountsResponse, _google_protobuf_Empty__Output, _machine_MountsResponse__Output>
  Netstat: MethodDefinition<_machine_NetstatRequest, _machine_NetstatResponse, _machine_NetstatRequest__Output, _machine_NetstatResponse__Output>
  NetworkDeviceStats: MethodDefinition<_google_protobuf_Empty, _machine_NetworkDeviceStatsResponse, _google_protobuf_Empty__Output, _machine_NetworkDeviceStatsResponse__Output>
  PacketCapture: MethodDefinition<_machine_PacketCaptureRequest, _common_Data, _machine_PacketCaptureRequest__Output, _common_Data__Output>
  Processes: MethodDefinition<_google_protobuf_Empty, _machine_ProcessesResponse, _google_protobuf_Empty__Output, _machine_ProcessesResponse__Output>
  Read: MethodDefinition<_machine_ReadRequest, _common_Data, _machine_ReadRequest__Output, _common_Data__Output>
  Reboot: MethodDefinition<_machine_RebootRequest, _machine_RebootResponse, _machine_RebootRequest__Output, _machine_RebootResponse__Output>
  Reset: MethodDefinition<_machine_ResetRequest, _machine_ResetResponse, _machine_ResetRequest__Output, _machine_ResetResponse__Output>
  Restart: MethodDefinition<_machine_RestartRequest, _machine_RestartResponse, _machine_RestartRequest__Output, _machine_RestartResponse__Output>
  Rollback: MethodDefinition<_machine_RollbackRequest, _machine_RollbackResponse, _machine_RollbackRequest__Output, _machine_RollbackResponse__Output>
  ServiceList: MethodDefinition<_google_protobuf_Empty, _machine_ServiceListResponse, _google_protobuf_Empty__Output, _machine_ServiceListResponse__Output>
  ServiceRestart: MethodDefinition<_machine_ServiceRestartRequest, _machine_ServiceRestartResponse, _machine_ServiceRestartRequest__Output, _machine_ServiceRestartResponse__Output>
  ServiceStart: MethodDefinition<_machine_ServiceStartRequest, _machine_ServiceStartResponse, _machine_ServiceStartRequest__Output, _machine_ServiceStartResponse__Output>
  ServiceStop: MethodDefinition<_machine_ServiceStopRequest, _machine_ServiceStopResponse, _machine_ServiceStopRequest__Output, _machine_ServiceStopResponse__Output>
  Shutdown: MethodDefinition<_machine_ShutdownRequest, _machine_ShutdownResponse, _machine_ShutdownRequest__Output, _machine_ShutdownResponse__Output>
  Stats: MethodDefinition<_machine_StatsRequest, _machine_StatsResponse, _machine_StatsRequest__Output, _machine_StatsResponse__Output>
  SystemStat: MethodDefinition<_google_protobuf_Empty, _machine_SystemStatResponse, _google_protobuf_Empty__Output, _machine_SystemStatResponse__Output>
  Upgrade: MethodDefinition<_machine_UpgradeRequest, _machine_UpgradeResponse, _machine_UpgradeRequest__Output, _machine_UpgradeResponse__Output>
  Version: MethodDefinition<_google_protobuf_Empty, _machine_VersionResponse, _google_protobuf_Empty__Output, _machine_VersionResponse__Output>
}
