import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { ContainerdInstance as _common_ContainerdInstance, ContainerdInstance__Output as _common_ContainerdInstance__Output } from './common/ContainerdInstance';
import type { Data as _common_Data, Data__Output as _common_Data__Output } from './common/Data';
import type { DataResponse as _common_DataResponse, DataResponse__Output as _common_DataResponse__Output } from './common/DataResponse';
import type { Empty as _common_Empty, Empty__Output as _common_Empty__Output } from './common/Empty';
import type { EmptyResponse as _common_EmptyResponse, EmptyResponse__Output as _common_EmptyResponse__Output } from './common/EmptyResponse';
import type { Error as _common_Error, Error__Output as _common_Error__Output } from './common/Error';
import type { Metadata as _common_Metadata, Metadata__Output as _common_Metadata__Output } from './common/Metadata';
import type { NetIP as _common_NetIP, NetIP__Output as _common_NetIP__Output } from './common/NetIP';
import type { NetIPPort as _common_NetIPPort, NetIPPort__Output as _common_NetIPPort__Output } from './common/NetIPPort';
import type { NetIPPrefix as _common_NetIPPrefix, NetIPPrefix__Output as _common_NetIPPrefix__Output } from './common/NetIPPrefix';
import type { PEMEncodedCertificate as _common_PEMEncodedCertificate, PEMEncodedCertificate__Output as _common_PEMEncodedCertificate__Output } from './common/PEMEncodedCertificate';
import type { PEMEncodedCertificateAndKey as _common_PEMEncodedCertificateAndKey, PEMEncodedCertificateAndKey__Output as _common_PEMEncodedCertificateAndKey__Output } from './common/PEMEncodedCertificateAndKey';
import type { PEMEncodedKey as _common_PEMEncodedKey, PEMEncodedKey__Output as _common_PEMEncodedKey__Output } from './common/PEMEncodedKey';
import type { URL as _common_URL, URL__Output as _common_URL__Output } from './common/URL';
import type { Any as _google_protobuf_Any, Any__Output as _google_protobuf_Any__Output } from './google/protobuf/Any';
import type { Duration as _google_protobuf_Duration, Duration__Output as _google_protobuf_Duration__Output } from './google/protobuf/Duration';
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from './google/protobuf/Empty';
import type { Timestamp as _google_protobuf_Timestamp, Timestamp__Output as _google_protobuf_Timestamp__Output } from './google/protobuf/Timestamp';
import type { Status as _google_rpc_Status, Status__Output as _google_rpc_Status__Output } from './google/rpc/Status';
import type { AddressEvent as _machine_AddressEvent, AddressEvent__Output as _machine_AddressEvent__Output } from './machine/AddressEvent';
import type { ApplyConfiguration as _machine_ApplyConfiguration, ApplyConfiguration__Output as _machine_ApplyConfiguration__Output } from './machine/ApplyConfiguration';
import type { ApplyConfigurationRequest as _machine_ApplyConfigurationRequest, ApplyConfigurationRequest__Output as _machine_ApplyConfigurationRequest__Output } from './machine/ApplyConfigurationRequest';
import type { ApplyConfigurationResponse as _machine_ApplyConfigurationResponse, ApplyConfigurationResponse__Output as _machine_ApplyConfigurationResponse__Output } from './machine/ApplyConfigurationResponse';
import type { BPFInstruction as _machine_BPFInstruction, BPFInstruction__Output as _machine_BPFInstruction__Output } from './machine/BPFInstruction';
import type { Bootstrap as _machine_Bootstrap, Bootstrap__Output as _machine_Bootstrap__Output } from './machine/Bootstrap';
import type { BootstrapRequest as _machine_BootstrapRequest, BootstrapRequest__Output as _machine_BootstrapRequest__Output } from './machine/BootstrapRequest';
import type { BootstrapResponse as _machine_BootstrapResponse, BootstrapResponse__Output as _machine_BootstrapResponse__Output } from './machine/BootstrapResponse';
import type { CNIConfig as _machine_CNIConfig, CNIConfig__Output as _machine_CNIConfig__Output } from './machine/CNIConfig';
import type { CPUFreqStats as _machine_CPUFreqStats, CPUFreqStats__Output as _machine_CPUFreqStats__Output } from './machine/CPUFreqStats';
import type { CPUFreqStatsResponse as _machine_CPUFreqStatsResponse, CPUFreqStatsResponse__Output as _machine_CPUFreqStatsResponse__Output } from './machine/CPUFreqStatsResponse';
import type { CPUInfo as _machine_CPUInfo, CPUInfo__Output as _machine_CPUInfo__Output } from './machine/CPUInfo';
import type { CPUInfoResponse as _machine_CPUInfoResponse, CPUInfoResponse__Output as _machine_CPUInfoResponse__Output } from './machine/CPUInfoResponse';
import type { CPUStat as _machine_CPUStat, CPUStat__Output as _machine_CPUStat__Output } from './machine/CPUStat';
import type { CPUsFreqStats as _machine_CPUsFreqStats, CPUsFreqStats__Output as _machine_CPUsFreqStats__Output } from './machine/CPUsFreqStats';
import type { CPUsInfo as _machine_CPUsInfo, CPUsInfo__Output as _machine_CPUsInfo__Output } from './machine/CPUsInfo';
import type { ClusterConfig as _machine_ClusterConfig, ClusterConfig__Output as _machine_ClusterConfig__Output } from './machine/ClusterConfig';
import type { ClusterNetworkConfig as _machine_ClusterNetworkConfig, ClusterNetworkConfig__Output as _machine_ClusterNetworkConfig__Output } from './machine/ClusterNetworkConfig';
import type { ConfigLoadErrorEvent as _machine_ConfigLoadErrorEvent, ConfigLoadErrorEvent__Output as _machine_ConfigLoadErrorEvent__Output } from './machine/ConfigLoadErrorEvent';
import type { ConfigValidationErrorEvent as _machine_ConfigValidationErrorEvent, ConfigValidationErrorEvent__Output as _machine_ConfigValidationErrorEvent__Output } from './machine/ConfigValidationErrorEvent';
import type { ConnectRecord as _machine_ConnectRecord, ConnectRecord__Output as _machine_ConnectRecord__Output } from './machine/ConnectRecord';
import type { Container as _machine_Container, Container__Output as _machine_Container__Output } from './machine/Container';
import type { ContainerInfo as _machine_ContainerInfo, ContainerInfo__Output as _machine_ContainerInfo__Output } from './machine/ContainerInfo';
import type { ContainersRequest as _machine_ContainersRequest, ContainersRequest__Output as _machine_ContainersRequest__Output } from './machine/ContainersRequest';
import type { ContainersResponse as _machine_ContainersResponse, ContainersResponse__Output as _machine_ContainersResponse__Output } from './machine/ContainersResponse';
import type { ControlPlaneConfig as _machine_ControlPlaneConfig, ControlPlaneConfig__Output as _machine_ControlPlaneConfig__Output } from './machine/ControlPlaneConfig';
import type { CopyRequest as _machine_CopyRequest, CopyRequest__Output as _machine_CopyRequest__Output } from './machine/CopyRequest';
import type { DHCPOptionsConfig as _machine_DHCPOptionsConfig, DHCPOptionsConfig__Output as _machine_DHCPOptionsConfig__Output } from './machine/DHCPOptionsConfig';
import type { DiskStat as _machine_DiskStat, DiskStat__Output as _machine_DiskStat__Output } from './machine/DiskStat';
import type { DiskStats as _machine_DiskStats, DiskStats__Output as _machine_DiskStats__Output } from './machine/DiskStats';
import type { DiskStatsResponse as _machine_DiskStatsResponse, DiskStatsResponse__Output as _machine_DiskStatsResponse__Output } from './machine/DiskStatsResponse';
import type { DiskUsageInfo as _machine_DiskUsageInfo, DiskUsageInfo__Output as _machine_DiskUsageInfo__Output } from './machine/DiskUsageInfo';
import type { DiskUsageRequest as _machine_DiskUsageRequest, DiskUsageRequest__Output as _machine_DiskUsageRequest__Output } from './machine/DiskUsageRequest';
import type { DmesgRequest as _machine_DmesgRequest, DmesgRequest__Output as _machine_DmesgRequest__Output } from './machine/DmesgRequest';
import type { EtcdAlarm as _machine_EtcdAlarm, EtcdAlarm__Output as _machine_EtcdAlarm__Output } from './machine/EtcdAlarm';
import type { EtcdAlarmDisarm as _machine_EtcdAlarmDisarm, EtcdAlarmDisarm__Output as _machine_EtcdAlarmDisarm__Output } from './machine/EtcdAlarmDisarm';
import type { EtcdAlarmDisarmResponse as _machine_EtcdAlarmDisarmResponse, EtcdAlarmDisarmResponse__Output as _machine_EtcdAlarmDisarmResponse__Output } from './machine/EtcdAlarmDisarmResponse';
import type { EtcdAlarmListResponse as _machine_EtcdAlarmListResponse, EtcdAlarmListResponse__Output as _machine_EtcdAlarmListResponse__Output } from './machine/EtcdAlarmListResponse';
import type { EtcdClusterDowngrade as _machine_EtcdClusterDowngrade, EtcdClusterDowngrade__Output as _machine_EtcdClusterDowngrade__Output } from './machine/EtcdClusterDowngrade';
import type { EtcdDefragment as _machine_EtcdDefragment, EtcdDefragment__Output as _machine_EtcdDefragment__Output } from './machine/EtcdDefragment';
import type { EtcdDefragmentResponse as _machine_EtcdDefragmentResponse, EtcdDefragmentResponse__Output as _machine_EtcdDefragmentResponse__Output } from './machine/EtcdDefragmentResponse';
import type { EtcdDowngradeCancel as _machine_EtcdDowngradeCancel, EtcdDowngradeCancel__Output as _machine_EtcdDowngradeCancel__Output } from './machine/EtcdDowngradeCancel';
import type { EtcdDowngradeCancelResponse as _machine_EtcdDowngradeCancelResponse, EtcdDowngradeCancelResponse__Output as _machine_EtcdDowngradeCancelResponse__Output } from './machine/EtcdDowngradeCancelResponse';
import type { EtcdDowngradeEnable as _machine_EtcdDowngradeEnable, EtcdDowngradeEnable__Output as _machine_EtcdDowngradeEnable__Output } from './machine/EtcdDowngradeEnable';
import type { EtcdDowngradeEnableRequest as _machine_EtcdDowngradeEnableRequest, EtcdDowngradeEnableRequest__Output as _machine_EtcdDowngradeEnableRequest__Output } from './machine/EtcdDowngradeEnableRequest';
import type { EtcdDowngradeEnableResponse as _machine_EtcdDowngradeEnableResponse, EtcdDowngradeEnableResponse__Output as _machine_EtcdDowngradeEnableResponse__Output } from './machine/EtcdDowngradeEnableResponse';
import type { EtcdDowngradeValidate as _machine_EtcdDowngradeValidate, EtcdDowngradeValidate__Output as _machine_EtcdDowngradeValidate__Output } from './machine/EtcdDowngradeValidate';
import type { EtcdDowngradeValidateRequest as _machine_EtcdDowngradeValidateRequest, EtcdDowngradeValidateRequest__Output as _machine_EtcdDowngradeValidateRequest__Output } from './machine/EtcdDowngradeValidateRequest';
import type { EtcdDowngradeValidateResponse as _machine_EtcdDowngradeValidateResponse, EtcdDowngradeValidateResponse__Output as _machine_EtcdDowngradeValidateResponse__Output } from './machine/EtcdDowngradeValidateResponse';
import type { EtcdForfeitLeadership as _machine_EtcdForfeitLeadership, EtcdForfeitLeadership__Output as _machine_EtcdForfeitLeadership__Output } from './machine/EtcdForfeitLeadership';
import type { EtcdForfeitLeadershipRequest as _machine_EtcdForfeitLeadershipRequest, EtcdForfeitLeadershipRequest__Output as _machine_EtcdForfeitLeadershipRequest__Output } from './machine/EtcdForfeitLeadershipRequest';
import type { EtcdForfeitLeadershipResponse as _machine_EtcdForfeitLeadershipResponse, EtcdForfeitLeadershipResponse__Output as _machine_EtcdForfeitLeadershipResponse__Output } from './machine/EtcdForfeitLeadershipResponse';
import type { EtcdLeaveCluster as _machine_EtcdLeaveCluster, EtcdLeaveCluster__Output as _machine_EtcdLeaveCluster__Output } from './machine/EtcdLeaveCluster';
import type { EtcdLeaveClusterRequest as _machine_EtcdLeaveClusterRequest, EtcdLeaveClusterRequest__Output as _machine_EtcdLeaveClusterRequest__Output } from './machine/EtcdLeaveClusterRequest';
import type { EtcdLeaveClusterResponse as _machine_EtcdLeaveClusterResponse, EtcdLeaveClusterResponse__Output as _machine_EtcdLeaveClusterResponse__Output } from './machine/EtcdLeaveClusterResponse';
import type { EtcdMember as _machine_EtcdMember, EtcdMember__Output as _machine_EtcdMember__Output } from './machine/EtcdMember';
import type { EtcdMemberAlarm as _machine_EtcdMemberAlarm, EtcdMemberAlarm__Output as _machine_EtcdMemberAlarm__Output } from './machine/EtcdMemberAlarm';
import type { EtcdMemberListRequest as _machine_EtcdMemberListRequest, EtcdMemberListRequest__Output as _machine_EtcdMemberListRequest__Output } from './machine/EtcdMemberListRequest';
import type { EtcdMemberListResponse as _machine_EtcdMemberListResponse, EtcdMemberListResponse__Output as _machine_EtcdMemberListResponse__Output } from './machine/EtcdMemberListResponse';
import type { EtcdMemberStatus as _machine_EtcdMemberStatus, EtcdMemberStatus__Output as _machine_EtcdMemberStatus__Output } from './machine/EtcdMemberStatus';
import type { EtcdMembers as _machine_EtcdMembers, EtcdMembers__Output as _machine_EtcdMembers__Output } from './machine/EtcdMembers';
import type { EtcdRecover as _machine_EtcdRecover, EtcdRecover__Output as _machine_EtcdRecover__Output } from './machine/EtcdRecover';
import type { EtcdRecoverResponse as _machine_EtcdRecoverResponse, EtcdRecoverResponse__Output as _machine_EtcdRecoverResponse__Output } from './machine/EtcdRecoverResponse';
import type { EtcdRemoveMember as _machine_EtcdRemoveMember, EtcdRemoveMember__Output as _machine_EtcdRemoveMember__Output } from './machine/EtcdRemoveMember';
import type { EtcdRemoveMemberByID as _machine_EtcdRemoveMemberByID, EtcdRemoveMemberByID__Output as _machine_EtcdRemoveMemberByID__Output } from './machine/EtcdRemoveMemberByID';
import type { EtcdRemoveMemberByIDRequest as _machine_EtcdRemoveMemberByIDRequest, EtcdRemoveMemberByIDRequest__Output as _machine_EtcdRemoveMemberByIDRequest__Output } from './machine/EtcdRemoveMemberByIDRequest';
import type { EtcdRemoveMemberByIDResponse as _machine_EtcdRemoveMemberByIDResponse, EtcdRemoveMemberByIDResponse__Output as _machine_EtcdRemoveMemberByIDResponse__Output } from './machine/EtcdRemoveMemberByIDResponse';
import type { EtcdRemoveMemberRequest as _machine_EtcdRemoveMemberRequest, EtcdRemoveMemberRequest__Output as _machine_EtcdRemoveMemberRequest__Output } from './machine/EtcdRemoveMemberRequest';
import type { EtcdRemoveMemberResponse as _machine_EtcdRemoveMemberResponse, EtcdRemoveMemberResponse__Output as _machine_EtcdRemoveMemberResponse__Output } from './machine/EtcdRemoveMemberResponse';
import type { EtcdSnapshotRequest as _machine_EtcdSnapshotRequest, EtcdSnapshotRequest__Output as _machine_EtcdSnapshotRequest__Output } from './machine/EtcdSnapshotRequest';
import type { EtcdStatus as _machine_EtcdStatus, EtcdStatus__Output as _machine_EtcdStatus__Output } from './machine/EtcdStatus';
import type { EtcdStatusResponse as _machine_EtcdStatusResponse, EtcdStatusResponse__Output as _machine_EtcdStatusResponse__Output } from './machine/EtcdStatusResponse';
import type { Event as _machine_Event, Event__Output as _machine_Event__Output } from './machine/Event';
import type { EventsRequest as _machine_EventsRequest, EventsRequest__Output as _machine_EventsRequest__Output } from './machine/EventsRequest';
import type { FeaturesInfo as _machine_FeaturesInfo, FeaturesInfo__Output as _machine_FeaturesInfo__Output } from './machine/FeaturesInfo';
import type { FileInfo as _machine_FileInfo, FileInfo__Output as _machine_FileInfo__Output } from './machine/FileInfo';
import type { GenerateClientConfiguration as _machine_GenerateClientConfiguration, GenerateClientConfiguration__Output as _machine_GenerateClientConfiguration__Output } from './machine/GenerateClientConfiguration';
import type { GenerateClientConfigurationRequest as _machine_GenerateClientConfigurationRequest, GenerateClientConfigurationRequest__Output as _machine_GenerateClientConfigurationRequest__Output } from './machine/GenerateClientConfigurationRequest';
import type { GenerateClientConfigurationResponse as _machine_GenerateClientConfigurationResponse, GenerateClientConfigurationResponse__Output as _machine_GenerateClientConfigurationResponse__Output } from './machine/GenerateClientConfigurationResponse';
import type { Hostname as _machine_Hostname, Hostname__Output as _machine_Hostname__Output } from './machine/Hostname';
import type { HostnameResponse as _machine_HostnameResponse, HostnameResponse__Output as _machine_HostnameResponse__Output } from './machine/HostnameResponse';
import type { ImageListRequest as _machine_ImageListRequest, ImageListRequest__Output as _machine_ImageListRequest__Output } from './machine/ImageListRequest';
import type { ImageListResponse as _machine_ImageListResponse, ImageListResponse__Output as _machine_ImageListResponse__Output } from './machine/ImageListResponse';
import type { ImagePull as _machine_ImagePull, ImagePull__Output as _machine_ImagePull__Output } from './machine/ImagePull';
import type { ImagePullRequest as _machine_ImagePullRequest, ImagePullRequest__Output as _machine_ImagePullRequest__Output } from './machine/ImagePullRequest';
import type { ImagePullResponse as _machine_ImagePullResponse, ImagePullResponse__Output as _machine_ImagePullResponse__Output } from './machine/ImagePullResponse';
import type { InstallConfig as _machine_InstallConfig, InstallConfig__Output as _machine_InstallConfig__Output } from './machine/InstallConfig';
import type { ListRequest as _machine_ListRequest, ListRequest__Output as _machine_ListRequest__Output } from './machine/ListRequest';
import type { LoadAvg as _machine_LoadAvg, LoadAvg__Output as _machine_LoadAvg__Output } from './machine/LoadAvg';
import type { LoadAvgResponse as _machine_LoadAvgResponse, LoadAvgResponse__Output as _machine_LoadAvgResponse__Output } from './machine/LoadAvgResponse';
import type { LogsContainer as _machine_LogsContainer, LogsContainer__Output as _machine_LogsContainer__Output } from './machine/LogsContainer';
import type { LogsContainersResponse as _machine_LogsContainersResponse, LogsContainersResponse__Output as _machine_LogsContainersResponse__Output } from './machine/LogsContainersResponse';
import type { LogsRequest as _machine_LogsRequest, LogsRequest__Output as _machine_LogsRequest__Output } from './machine/LogsRequest';
import type { MachineConfig as _machine_MachineConfig, MachineConfig__Output as _machine_MachineConfig__Output } from './machine/MachineConfig';
import type { MachineServiceClient as _machine_MachineServiceClient, MachineServiceDefinition as _machine_MachineServiceDefinition } from './machine/MachineService';
import type { MachineStatusEvent as _machine_MachineStatusEvent, MachineStatusEvent__Output as _machine_MachineStatusEvent__Output } from './machine/MachineStatusEvent';
import type { MemInfo as _machine_MemInfo, MemInfo__Output as _machine_MemInfo__Output } from './machine/MemInfo';
import type { Memory as _machine_Memory, Memory__Output as _machine_Memory__Output } from './machine/Memory';
import type { MemoryResponse as _machine_MemoryResponse, MemoryResponse__Output as _machine_MemoryResponse__Output } from './machine/MemoryResponse';
import type { MetaDelete as _machine_MetaDelete, MetaDelete__Output as _machine_MetaDelete__Output } from './machine/MetaDelete';
import type { MetaDeleteRequest as _machine_MetaDeleteRequest, MetaDeleteRequest__Output as _machine_MetaDeleteRequest__Output } from './machine/MetaDeleteRequest';
import type { MetaDeleteResponse as _machine_MetaDeleteResponse, MetaDeleteResponse__Output as _machine_MetaDeleteResponse__Output } from './machine/MetaDeleteResponse';
import type { MetaWrite as _machine_MetaWrite, MetaWrite__Output as _machine_MetaWrite__Output } from './machine/MetaWrite';
import type { MetaWriteRequest as _machine_MetaWriteRequest, MetaWriteRequest__Output as _machine_MetaWriteRequest__Output } from './machine/MetaWriteRequest';
import type { MetaWriteResponse as _machine_MetaWriteResponse, MetaWriteResponse__Output as _machine_MetaWriteResponse__Output } from './machine/MetaWriteResponse';
import type { MountStat as _machine_MountStat, MountStat__Output as _machine_MountStat__Output } from './machine/MountStat';
import type { Mounts as _machine_Mounts, Mounts__Output as _machine_Mounts__Output } from './machine/Mounts';
import type { MountsResponse as _machine_MountsResponse, MountsResponse__Output as _machine_MountsResponse__Output } from './machine/MountsResponse';
import type { NetDev as _machine_NetDev, NetDev__Output as _machine_NetDev__Output } from './machine/NetDev';
import type { Netstat as _machine_Netstat, Netstat__Output as _machine_Netstat__Output } from './machine/Netstat';
import type { NetstatRequest as _machine_NetstatRequest, NetstatRequest__Output as _machine_NetstatRequest__Output } from './machine/NetstatRequest';
import type { NetstatResponse as _machine_NetstatResponse, NetstatResponse__Output as _machine_NetstatResponse__Output } from './machine/NetstatResponse';
import type { NetworkConfig as _machine_NetworkConfig, NetworkConfig__Output as _machine_NetworkConfig__Output } from './machine/NetworkConfig';
import type { NetworkDeviceConfig as _machine_NetworkDeviceConfig, NetworkDeviceConfig__Output as _machine_NetworkDeviceConfig__Output } from './machine/NetworkDeviceConfig';
import type { NetworkDeviceStats as _machine_NetworkDeviceStats, NetworkDeviceStats__Output as _machine_NetworkDeviceStats__Output } from './machine/NetworkDeviceStats';
import type { NetworkDeviceStatsResponse as _machine_NetworkDeviceStatsResponse, NetworkDeviceStatsResponse__Output as _machine_NetworkDeviceStatsResponse__Output } from './machine/NetworkDeviceStatsResponse';
import type { PacketCaptureRequest as _machine_PacketCaptureRequest, PacketCaptureRequest__Output as _machine_PacketCaptureRequest__Output } from './machine/PacketCaptureRequest';
import type { PhaseEvent as _machine_PhaseEvent, PhaseEvent__Output as _machine_PhaseEvent__Output } from './machine/PhaseEvent';
import type { PlatformInfo as _machine_PlatformInfo, PlatformInfo__Output as _machine_PlatformInfo__Output } from './machine/PlatformInfo';
import type { Process as _machine_Process, Process__Output as _machine_Process__Output } from './machine/Process';
import type { ProcessInfo as _machine_ProcessInfo, ProcessInfo__Output as _machine_ProcessInfo__Output } from './machine/ProcessInfo';
import type { ProcessesResponse as _machine_ProcessesResponse, ProcessesResponse__Output as _machine_ProcessesResponse__Output } from './machine/ProcessesResponse';
import type { ReadRequest as _machine_ReadRequest, ReadRequest__Output as _machine_ReadRequest__Output } from './machine/ReadRequest';
import type { Reboot as _machine_Reboot, Reboot__Output as _machine_Reboot__Output } from './machine/Reboot';
import type { RebootRequest as _machine_RebootRequest, RebootRequest__Output as _machine_RebootRequest__Output } from './machine/RebootRequest';
import type { RebootResponse as _machine_RebootResponse, RebootResponse__Output as _machine_RebootResponse__Output } from './machine/RebootResponse';
import type { Reset as _machine_Reset, Reset__Output as _machine_Reset__Output } from './machine/Reset';
import type { ResetPartitionSpec as _machine_ResetPartitionSpec, ResetPartitionSpec__Output as _machine_ResetPartitionSpec__Output } from './machine/ResetPartitionSpec';
import type { ResetRequest as _machine_ResetRequest, ResetRequest__Output as _machine_ResetRequest__Output } from './machine/ResetRequest';
import type { ResetResponse as _machine_ResetResponse, ResetResponse__Output as _machine_ResetResponse__Output } from './machine/ResetResponse';
import type { Restart as _machine_Restart, Restart__Output as _machine_Restart__Output } from './machine/Restart';
import type { RestartEvent as _machine_RestartEvent, RestartEvent__Output as _machine_RestartEvent__Output } from './machine/RestartEvent';
import type { RestartRequest as _machine_RestartRequest, RestartRequest__Output as _machine_RestartRequest__Output } from './machine/RestartRequest';
import type { RestartResponse as _machine_RestartResponse, RestartResponse__Output as _machine_RestartResponse__Output } from './machine/RestartResponse';
import type { Rollback as _machine_Rollback, Rollback__Output as _machine_Rollback__Output } from './machine/Rollback';
import type { RollbackRequest as _machine_RollbackRequest, RollbackRequest__Output as _machine_RollbackRequest__Output } from './machine/RollbackRequest';
import type { RollbackResponse as _machine_RollbackResponse, RollbackResponse__Output as _machine_RollbackResponse__Output } from './machine/RollbackResponse';
import type { RouteConfig as _machine_RouteConfig, RouteConfig__Output as _machine_RouteConfig__Output } from './machine/RouteConfig';
import type { SequenceEvent as _machine_SequenceEvent, SequenceEvent__Output as _machine_SequenceEvent__Output } from './machine/SequenceEvent';
import type { ServiceEvent as _machine_ServiceEvent, ServiceEvent__Output as _machine_ServiceEvent__Output } from './machine/ServiceEvent';
import type { ServiceEvents as _machine_ServiceEvents, ServiceEvents__Output as _machine_ServiceEvents__Output } from './machine/ServiceEvents';
import type { ServiceHealth as _machine_ServiceHealth, ServiceHealth__Output as _machine_ServiceHealth__Output } from './machine/ServiceHealth';
import type { ServiceInfo as _machine_ServiceInfo, ServiceInfo__Output as _machine_ServiceInfo__Output } from './machine/ServiceInfo';
import type { ServiceList as _machine_ServiceList, ServiceList__Output as _machine_ServiceList__Output } from './machine/ServiceList';
import type { ServiceListResponse as _machine_ServiceListResponse, ServiceListResponse__Output as _machine_ServiceListResponse__Output } from './machine/ServiceListResponse';
import type { ServiceRestart as _machine_ServiceRestart, ServiceRestart__Output as _machine_ServiceRestart__Output } from './machine/ServiceRestart';
import type { ServiceRestartRequest as _machine_ServiceRestartRequest, ServiceRestartRequest__Output as _machine_ServiceRestartRequest__Output } from './machine/ServiceRestartRequest';
import type { ServiceRestartResponse as _machine_ServiceRestartResponse, ServiceRestartResponse__Output as _machine_ServiceRestartResponse__Output } from './machine/ServiceRestartResponse';
import type { ServiceStart as _machine_ServiceStart, ServiceStart__Output as _machine_ServiceStart__Output } from './machine/ServiceStart';
import type { ServiceStartRequest as _machine_ServiceStartRequest, ServiceStartRequest__Output as _machine_ServiceStartRequest__Output } from './machine/ServiceStartRequest';
import type { ServiceStartResponse as _machine_ServiceStartResponse, ServiceStartResponse__Output as _machine_ServiceStartResponse__Output } from './machine/ServiceStartResponse';
import type { ServiceStateEvent as _machine_ServiceStateEvent, ServiceStateEvent__Output as _machine_ServiceStateEvent__Output } from './machine/ServiceStateEvent';
import type { ServiceStop as _machine_ServiceStop, ServiceStop__Output as _machine_ServiceStop__Output } from './machine/ServiceStop';
import type { ServiceStopRequest as _machine_ServiceStopRequest, ServiceStopRequest__Output as _machine_ServiceStopRequest__Output } from './machine/ServiceStopRequest';
import type { ServiceStopResponse as _machine_ServiceStopResponse, ServiceStopResponse__Output as _machine_ServiceStopResponse__Output } from './machine/ServiceStopResponse';
import type { Shutdown as _machine_Shutdown, Shutdown__Output as _machine_Shutdown__Output } from './machine/Shutdown';
import type { ShutdownRequest as _machine_ShutdownRequest, ShutdownRequest__Output as _machine_ShutdownRequest__Output } from './machine/ShutdownRequest';
import type { ShutdownResponse as _machine_ShutdownResponse, ShutdownResponse__Output as _machine_ShutdownResponse__Output } from './machine/ShutdownResponse';
import type { SoftIRQStat as _machine_SoftIRQStat, SoftIRQStat__Output as _machine_SoftIRQStat__Output } from './machine/SoftIRQStat';
import type { Stat as _machine_Stat, Stat__Output as _machine_Stat__Output } from './machine/Stat';
import type { Stats as _machine_Stats, Stats__Output as _machine_Stats__Output } from './machine/Stats';
import type { StatsRequest as _machine_StatsRequest, StatsRequest__Output as _machine_StatsRequest__Output } from './machine/StatsRequest';
import type { StatsResponse as _machine_StatsResponse, StatsResponse__Output as _machine_StatsResponse__Output } from './machine/StatsResponse';
import type { SystemStat as _machine_SystemStat, SystemStat__Output as _machine_SystemStat__Output } from './machine/SystemStat';
import type { SystemStatResponse as _machine_SystemStatResponse, SystemStatResponse__Output as _machine_SystemStatResponse__Output } from './machine/SystemStatResponse';
import type { TaskEvent as _machine_TaskEvent, TaskEvent__Output as _machine_TaskEvent__Output } from './machine/TaskEvent';
import type { Upgrade as _machine_Upgrade, Upgrade__Output as _machine_Upgrade__Output } from './machine/Upgrade';
import type { UpgradeRequest as _machine_UpgradeRequest, UpgradeRequest__Output as _machine_UpgradeRequest__Output } from './machine/UpgradeRequest';
import type { UpgradeResponse as _machine_UpgradeResponse, UpgradeResponse__Output as _machine_UpgradeResponse__Output } from './machine/UpgradeResponse';
import type { Version as _machine_Version, Version__Output as _machine_Version__Output } from './machine/Version';
import type { VersionInfo as _machine_VersionInfo, VersionInfo__Output as _machine_VersionInfo__Output } from './machine/VersionInfo';
import type { VersionResponse as _machine_VersionResponse, VersionResponse__Output as _machine_VersionResponse__Output } from './machine/VersionResponse';
import type { Xattr as _machine_Xattr, Xattr__Output as _machine_Xattr__Output } from './machine/Xattr';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  common: {
    Code: EnumTypeDefinition
    ContainerDriver: EnumTypeDefinition
    ContainerdInstance: MessageTypeDefinition<_common_ContainerdInstance, _common_ContainerdInstance__Output>
    ContainerdNamespace: EnumTypeDefinition
    Data: MessageTypeDefinition<_common_Data, _common_Data__Output>
    DataResponse: MessageTypeDefinition<_common_DataResponse, _common_DataResponse__Output>
    Empty: MessageTypeDefinition<_common_Empty, _common_Empty__Output>
    EmptyResponse: MessageTypeDefinition<_common_EmptyResponse, _common_EmptyResponse__Output>
    Error: MessageTypeDefinition<_common_Error, _common_Error__Output>
    Metadata: MessageTypeDefinition<_common_Metadata, _common_Metadata__Output>
    NetIP: MessageTypeDefinition<_common_NetIP, _common_NetIP__Output>
    NetIPPort: MessageTypeDefinition<_common_NetIPPort, _common_NetIPPort__Output>
    NetIPPrefix: MessageTypeDefinition<_common_NetIPPrefix, _common_NetIPPrefix__Output>
    PEMEncodedCertificate: MessageTypeDefinition<_common_PEMEncodedCertificate, _common_PEMEncodedCertificate__Output>
    PEMEncodedCertificateAndKey: MessageTypeDefinition<_common_PEMEncodedCertificateAndKey, _common_PEMEncodedCertificateAndKey__Output>
    PEMEncodedKey: MessageTypeDefinition<_common_PEMEncodedKey, _common_PEMEncodedKey__Output>
    URL: MessageTypeDefinition<_common_URL, _common_URL__Output>
  }
  google: {
    protobuf: {
      Any: MessageTypeDefinition<_google_protobuf_Any, _google_protobuf_Any__Output>
      Duration: MessageTypeDefinition<_google_protobuf_Duration, _google_protobuf_Duration__Output>
      Empty: MessageTypeDefinition<_google_protobuf_Empty, _google_protobuf_Empty__Output>
      Timestamp: MessageTypeDefinition<_google_protobuf_Timestamp, _google_protobuf_Timestamp__Output>
    }
    rpc: {
      Status: MessageTypeDefinition<_google_rpc_Status, _google_rpc_Status__Output>
    }
  }
  machine: {
    AddressEvent: MessageTypeDefinition<_machine_AddressEvent, _machine_AddressEvent__Output>
    ApplyConfiguration: MessageTypeDefinition<_machine_ApplyConfiguration, _machine_ApplyConfiguration__Output>
    ApplyConfigurationRequest: MessageTypeDefinition<_machine_ApplyConfigurationRequest, _machine_ApplyConfigurationRequest__Output>
    ApplyConfigurationResponse: MessageTypeDefinition<_machine_ApplyConfigurationResponse, _machine_ApplyConfigurationResponse__Output>
    BPFInstruction: MessageTypeDefinition<_machine_BPFInstruction, _machine_BPFInstruction__Output>
    Bootstrap: MessageTypeDefinition<_machine_Bootstrap, _machine_Bootstrap__Output>
    BootstrapRequest: MessageTypeDefinition<_machine_BootstrapRequest, _machine_BootstrapRequest__Output>
    BootstrapResponse: MessageTypeDefinition<_machine_BootstrapResponse, _machine_BootstrapResponse__Output>
    CNIConfig: MessageTypeDefinition<_machine_CNIConfig, _machine_CNIConfig__Output>
    CPUFreqStats: MessageTypeDefinition<_machine_CPUFreqStats, _machine_CPUFreqStats__Output>
    CPUFreqStatsResponse: MessageTypeDefinition<_machine_CPUFreqStatsResponse, _machine_CPUFreqStatsResponse__Output>
    CPUInfo: MessageTypeDefinition<_machine_CPUInfo, _machine_CPUInfo__Output>
    CPUInfoResponse: MessageTypeDefinition<_machine_CPUInfoResponse, _machine_CPUInfoResponse__Output>
    CPUStat: MessageTypeDefinition<_machine_CPUStat, _machine_CPUStat__Output>
    CPUsFreqStats: MessageTypeDefinition<_machine_CPUsFreqStats, _machine_CPUsFreqStats__Output>
    CPUsInfo: MessageTypeDefinition<_machine_CPUsInfo, _machine_CPUsInfo__Output>
    ClusterConfig: MessageTypeDefinition<_machine_ClusterConfig, _machine_ClusterConfig__Output>
    ClusterNetworkConfig: MessageTypeDefinition<_machine_ClusterNetworkConfig, _machine_ClusterNetworkConfig__Output>
    ConfigLoadErrorEvent: MessageTypeDefinition<_machine_ConfigLoadErrorEvent, _machine_ConfigLoadErrorEvent__Output>
    ConfigValidationErrorEvent: MessageTypeDefinition<_machine_ConfigValidationErrorEvent, _machine_ConfigValidationErrorEvent__Output>
    ConnectRecord: MessageTypeDefinition<_machine_ConnectRecord, _machine_ConnectRecord__Output>
    Container: MessageTypeDefinition<_machine_Container, _machine_Container__Output>
    ContainerInfo: MessageTypeDefinition<_machine_ContainerInfo, _machine_ContainerInfo__Output>
    ContainersRequest: MessageTypeDefinition<_machine_ContainersRequest, _machine_ContainersRequest__Output>
    ContainersResponse: MessageTypeDefinition<_machine_ContainersResponse, _machine_ContainersResponse__Output>
    ControlPlaneConfig: MessageTypeDefinition<_machine_ControlPlaneConfig, _machine_ControlPlaneConfig__Output>
    CopyRequest: MessageTypeDefinition<_machine_CopyRequest, _machine_CopyRequest__Output>
    DHCPOptionsConfig: MessageTypeDefinition<_machine_DHCPOptionsConfig, _machine_DHCPOptionsConfig__Output>
    DiskStat: MessageTypeDefinition<_machine_DiskStat, _machine_DiskStat__Output>
    DiskStats: MessageTypeDefinition<_machine_DiskStats, _machine_DiskStats__Output>
    DiskStatsResponse: MessageTypeDefinition<_machine_DiskStatsResponse, _machine_DiskStatsResponse__Output>
    DiskUsageInfo: MessageTypeDefinition<_machine_DiskUsageInfo, _machine_DiskUsageInfo__Output>
    DiskUsageRequest: MessageTypeDefinition<_machine_DiskUsageRequest, _machine_DiskUsageRequest__Output>
    DmesgRequest: MessageTypeDefinition<_machine_DmesgRequest, _machine_DmesgRequest__Output>
    EtcdAlarm: MessageTypeDefinition<_machine_EtcdAlarm, _machine_EtcdAlarm__Output>
    EtcdAlarmDisarm: MessageTypeDefinition<_machine_EtcdAlarmDisarm, _machine_EtcdAlarmDisarm__Output>
    EtcdAlarmDisarmResponse: MessageTypeDefinition<_machine_EtcdAlarmDisarmResponse, _machine_EtcdAlarmDisarmResponse__Output>
    EtcdAlarmListResponse: MessageTypeDefinition<_machine_EtcdAlarmListResponse, _machine_EtcdAlarmListResponse__Output>
    EtcdClusterDowngrade: MessageTypeDefinition<_machine_EtcdClusterDowngrade, _machine_EtcdClusterDowngrade__Output>
    EtcdDefragment: MessageTypeDefinition<_machine_EtcdDefragment, _machine_EtcdDefragment__Output>
    EtcdDefragmentResponse: MessageTypeDefinition<_machine_EtcdDefragmentResponse, _machine_EtcdDefragmentResponse__Output>
    EtcdDowngradeCancel: MessageTypeDefinition<_machine_EtcdDowngradeCancel, _machine_EtcdDowngradeCancel__Output>
    EtcdDowngradeCancelResponse: MessageTypeDefinition<_machine_EtcdDowngradeCancelResponse, _machine_EtcdDowngradeCancelResponse__Output>
    EtcdDowngradeEnable: MessageTypeDefinition<_machine_EtcdDowngradeEnable, _machine_EtcdDowngradeEnable__Output>
    EtcdDowngradeEnableRequest: MessageTypeDefinition<_machine_EtcdDowngradeEnableRequest, _machine_EtcdDowngradeEnableRequest__Output>
    EtcdDowngradeEnableResponse: MessageTypeDefinition<_machine_EtcdDowngradeEnableResponse, _machine_EtcdDowngradeEnableResponse__Output>
    EtcdDowngradeValidate: MessageTypeDefinition<_machine_EtcdDowngradeValidate, _machine_EtcdDowngradeValidate__Output>
    EtcdDowngradeValidateRequest: MessageTypeDefinition<_machine_EtcdDowngradeValidateRequest, _machine_EtcdDowngradeValidateRequest__Output>
    EtcdDowngradeValidateResponse: MessageTypeDefinition<_machine_EtcdDowngradeValidateResponse, _machine_EtcdDowngradeValidateResponse__Output>
    EtcdForfeitLeadership: MessageTypeDefinition<_machine_EtcdForfeitLeadership, _machine_EtcdForfeitLeadership__Output>
    EtcdForfeitLeadershipRequest: MessageTypeDefinition<_machine_EtcdForfeitLeadershipRequest, _machine_EtcdForfeitLeadershipRequest__Output>
    EtcdForfeitLeadershipResponse: MessageTypeDefinition<_machine_EtcdForfeitLeadershipResponse, _machine_EtcdForfeitLeadershipResponse__Output>
    EtcdLeaveCluster: MessageTypeDefinition<_machine_EtcdLeaveCluster, _machine_EtcdLeaveCluster__Output>
    EtcdLeaveClusterRequest: MessageTypeDefinition<_machine_EtcdLeaveClusterRequest, _machine_EtcdLeaveClusterRequest__Output>
    EtcdLeaveClusterResponse: MessageTypeDefinition<_machine_EtcdLeaveClusterResponse, _machine_EtcdLeaveClusterResponse__Output>
    EtcdMember: MessageTypeDefinition<_machine_EtcdMember, _machine_EtcdMember__Output>
    EtcdMemberAlarm: MessageTypeDefinition<_machine_EtcdMemberAlarm, _machine_EtcdMemberAlarm__Output>
    EtcdMemberListRequest: MessageTypeDefinition<_machine_EtcdMemberListRequest, _machine_EtcdMemberListRequest__Output>
    EtcdMemberListResponse: MessageTypeDefinition<_machine_EtcdMemberListResponse, _machine_EtcdMemberListResponse__Output>
    EtcdMemberStatus: MessageTypeDefinition<_machine_EtcdMemberStatus, _machine_EtcdMemberStatus__Output>
    EtcdMembers: MessageTypeDefinition<_machine_EtcdMembers, _machine_EtcdMembers__Output>
    EtcdRecover: MessageTypeDefinition<_machine_EtcdRecover, _machine_EtcdRecover__Output>
    EtcdRecoverResponse: MessageTypeDefinition<_machine_EtcdRecoverResponse, _machine_EtcdRecoverResponse__Output>
    EtcdRemoveMember: MessageTypeDefinition<_machine_EtcdRemoveMember, _machine_EtcdRemoveMember__Output>
    EtcdRemoveMemberByID: MessageTypeDefinition<_machine_EtcdRemoveMemberByID, _machine_EtcdRemoveMemberByID__Output>
    EtcdRemoveMemberByIDRequest: MessageTypeDefinition<_machine_EtcdRemoveMemberByIDRequest, _machine_EtcdRemoveMemberByIDRequest__Output>
    EtcdRemoveMemberByIDResponse: MessageTypeDefinition<_machine_EtcdRemoveMemberByIDResponse, _machine_EtcdRemoveMemberByIDResponse__Output>
    EtcdRemoveMemberRequest: MessageTypeDefinition<_machine_EtcdRemoveMemberRequest, _machine_EtcdRemoveMemberRequest__Output>
    EtcdRemoveMemberResponse: MessageTypeDefinition<_machine_EtcdRemoveMemberResponse, _machine_EtcdRemoveMemberResponse__Output>
    EtcdSnapshotRequest: MessageTypeDefinition<_machine_EtcdSnapshotRequest, _machine_EtcdSnapshotRequest__Output>
    EtcdStatus: MessageTypeDefinition<_machine_EtcdStatus, _machine_EtcdStatus__Output>
    EtcdStatusResponse: MessageTypeDefinition<_machine_EtcdStatusResponse, _machine_EtcdStatusResponse__Output>
    Event: MessageTypeDefinition<_machine_Event, _machine_Event__Output>
    EventsRequest: MessageTypeDefinition<_machine_EventsRequest, _machine_EventsRequest__Output>
    FeaturesInfo: MessageTypeDefinition<_machine_FeaturesInfo, _machine_FeaturesInfo__Output>
    FileInfo: MessageTypeDefinition<_machine_FileInfo, _machine_FileInfo__Output>
    GenerateClientConfiguration: MessageTypeDefinition<_machine_GenerateClientConfiguration, _machine_GenerateClientConfiguration__Output>
    GenerateClientConfigurationRequest: MessageTypeDefinition<_machine_GenerateClientConfigurationRequest, _machine_GenerateClientConfigurationRequest__Output>
    GenerateClientConfigurationResponse: MessageTypeDefinition<_machine_GenerateClientConfigurationResponse, _machine_GenerateClientConfigurationResponse__Output>
    Hostname: MessageTypeDefinition<_machine_Hostname, _machine_Hostname__Output>
    HostnameResponse: MessageTypeDefinition<_machine_HostnameResponse, _machine_HostnameResponse__Output>
    ImageListRequest: MessageTypeDefinition<_machine_ImageListRequest, _machine_ImageListRequest__Output>
    ImageListResponse: MessageTypeDefinition<_machine_ImageListResponse, _machine_ImageListResponse__Output>
    ImagePull: MessageTypeDefinition<_machine_ImagePull, _machine_ImagePull__Output>
    ImagePullRequest: MessageTypeDefinition<_machine_ImagePullRequest, _machine_ImagePullRequest__Output>
    ImagePullResponse: MessageTypeDefinition<_machine_ImagePullResponse, _machine_ImagePullResponse__Output>
    InstallConfig: MessageTypeDefinition<_machine_InstallConfig, _machine_InstallConfig__Output>
    ListRequest: MessageTypeDefinition<_machine_ListRequest, _machine_ListRequest__Output>
    LoadAvg: MessageTypeDefinition<_machine_LoadAvg, _machine_LoadAvg__Output>
    LoadAvgResponse: MessageTypeDefinition<_machine_LoadAvgResponse, _machine_LoadAvgResponse__Output>
    LogsContainer: MessageTypeDefinition<_machine_LogsContainer, _machine_LogsContainer__Output>
    LogsContainersResponse: MessageTypeDefinition<_machine_LogsContainersResponse, _machine_LogsContainersResponse__Output>
    LogsRequest: MessageTypeDefinition<_machine_LogsRequest, _machine_LogsRequest__Output>
    MachineConfig: MessageTypeDefinition<_machine_MachineConfig, _machine_MachineConfig__Output>
    MachineService: SubtypeConstructor<typeof grpc.Client, _machine_MachineServiceClient> & { service: _machine_MachineServiceDefinition }
    MachineStatusEvent: MessageTypeDefinition<_machine_MachineStatusEvent, _machine_MachineStatusEvent__Output>
    MemInfo: MessageTypeDefinition<_machine_MemInfo, _machine_MemInfo__Output>
    Memory: MessageTypeDefinition<_machine_Memory, _machine_Memory__Output>
    MemoryResponse: MessageTypeDefinition<_machine_MemoryResponse, _machine_MemoryResponse__Output>
    MetaDelete: MessageTypeDefinition<_machine_MetaDelete, _machine_MetaDelete__Output>
    MetaDeleteRequest: MessageTypeDefinition<_machine_MetaDeleteRequest, _machine_MetaDeleteRequest__Output>
    MetaDeleteResponse: MessageTypeDefinition<_machine_MetaDeleteResponse, _machine_MetaDeleteResponse__Output>
    MetaWrite: MessageTypeDefinition<_machine_MetaWrite, _machine_MetaWrite__Output>
    MetaWriteRequest: MessageTypeDefinition<_machine_MetaWriteRequest, _machine_MetaWriteRequest__Output>
    MetaWriteResponse: MessageTypeDefinition<_machine_MetaWriteResponse, _machine_MetaWriteResponse__Output>
    MountStat: MessageTypeDefinition<_machine_MountStat, _machine_MountStat__Output>
    Mounts: MessageTypeDefinition<_machine_Mounts, _machine_Mounts__Output>
    MountsResponse: MessageTypeDefinition<_machine_MountsResponse, _machine_MountsResponse__Output>
    NetDev: MessageTypeDefinition<_machine_NetDev, _machine_NetDev__Output>
    Netstat: MessageTypeDefinition<_machine_Netstat, _machine_Netstat__Output>
    NetstatRequest: MessageTypeDefinition<_machine_NetstatRequest, _machine_NetstatRequest__Output>
    NetstatResponse: MessageTypeDefinition<_machine_NetstatResponse, _machine_NetstatResponse__Output>
    NetworkConfig: MessageTypeDefinition<_machine_NetworkConfig, _machine_NetworkConfig__Output>
    NetworkDeviceConfig: MessageTypeDefinition<_machine_NetworkDeviceConfig, _machine_NetworkDeviceConfig__Output>
    NetworkDeviceStats: MessageTypeDefinition<_machine_NetworkDeviceStats, _machine_NetworkDeviceStats__Output>
    NetworkDeviceStatsResponse: MessageTypeDefinition<_machine_NetworkDeviceStatsResponse, _machine_NetworkDeviceStatsResponse__Output>
    PacketCaptureRequest: MessageTypeDefinition<_machine_PacketCaptureRequest, _machine_PacketCaptureRequest__Output>
    PhaseEvent: MessageTypeDefinition<_machine_PhaseEvent, _machine_PhaseEvent__Output>
    PlatformInfo: MessageTypeDefinition<_machine_PlatformInfo, _machine_PlatformInfo__Output>
    Process: MessageTypeDefinition<_machine_Process, _machine_Process__Output>
    ProcessInfo: MessageTypeDefinition<_machine_ProcessInfo, _machine_ProcessInfo__Output>
    ProcessesResponse: MessageTypeDefinition<_machine_ProcessesResponse, _machine_ProcessesResponse__Output>
    ReadRequest: MessageTypeDefinition<_machine_ReadRequest, _machine_ReadRequest__Output>
    Reboot: MessageTypeDefinition<_machine_Reboot, _machine_Reboot__Output>
    RebootRequest: MessageTypeDefinition<_machine_RebootRequest, _machine_RebootRequest__Output>
    RebootResponse: MessageTypeDefinition<_machine_RebootResponse, _machine_RebootResponse__Output>
    Reset: MessageTypeDefinition<_machine_Reset, _machine_Reset__Output>
    ResetPartitionSpec: MessageTypeDefinition<_machine_ResetPartitionSpec, _machine_ResetPartitionSpec__Output>
    ResetRequest: MessageTypeDefinition<_machine_ResetRequest, _machine_ResetRequest__Output>
    ResetResponse: MessageTypeDefinition<_machine_ResetResponse, _machine_ResetResponse__Output>
    Restart: MessageTypeDefinition<_machine_Restart, _machine_Restart__Output>
    RestartEvent: MessageTypeDefinition<_machine_RestartEvent, _machine_RestartEvent__Output>
    RestartRequest: MessageTypeDefinition<_machine_RestartRequest, _machine_RestartRequest__Output>
    RestartResponse: MessageTypeDefinition<_machine_RestartResponse, _machine_RestartResponse__Output>
    Rollback: MessageTypeDefinition<_machine_Rollback, _machine_Rollback__Output>
    RollbackRequest: MessageTypeDefinition<_machine_RollbackRequest, _machine_RollbackRequest__Output>
    RollbackResponse: MessageTypeDefinition<_machine_RollbackResponse, _machine_RollbackResponse__Output>
    RouteConfig: MessageTypeDefinition<_machine_RouteConfig, _machine_RouteConfig__Output>
    SequenceEvent: MessageTypeDefinition<_machine_SequenceEvent, _machine_SequenceEvent__Output>
    ServiceEvent: MessageTypeDefinition<_machine_ServiceEvent, _machine_ServiceEvent__Output>
    ServiceEvents: MessageTypeDefinition<_machine_ServiceEvents, _machine_ServiceEvents__Output>
    ServiceHealth: MessageTypeDefinition<_machine_ServiceHealth, _machine_ServiceHealth__Output>
    ServiceInfo: MessageTypeDefinition<_machine_ServiceInfo, _machine_ServiceInfo__Output>
    ServiceList: MessageTypeDefinition<_machine_ServiceList, _machine_ServiceList__Output>
    ServiceListResponse: MessageTypeDefinition<_machine_ServiceListResponse, _machine_ServiceListResponse__Output>
    ServiceRestart: MessageTypeDefinition<_machine_ServiceRestart, _machine_ServiceRestart__Output>
    ServiceRestartRequest: MessageTypeDefinition<_machine_ServiceRestartRequest, _machine_ServiceRestartRequest__Output>
    ServiceRestartResponse: MessageTypeDefinition<_machine_ServiceRestartResponse, _machine_ServiceRestartResponse__Output>
    ServiceStart: MessageTypeDefinition<_machine_ServiceStart, _machine_ServiceStart__Output>
    ServiceStartRequest: MessageTypeDefinition<_machine_ServiceStartRequest, _machine_ServiceStartRequest__Output>
    ServiceStartResponse: MessageTypeDefinition<_machine_ServiceStartResponse, _machine_ServiceStartResponse__Output>
    ServiceStateEvent: MessageTypeDefinition<_machine_ServiceStateEvent, _machine_ServiceStateEvent__Output>
    ServiceStop: MessageTypeDefinition<_machine_ServiceStop, _machine_ServiceStop__Output>
    ServiceStopRequest: MessageTypeDefinition<_machine_ServiceStopRequest, _machine_ServiceStopRequest__Output>
    ServiceStopResponse: MessageTypeDefinition<_machine_ServiceStopResponse, _machine_ServiceStopResponse__Output>
    Shutdown: MessageTypeDefinition<_machine_Shutdown, _machine_Shutdown__Output>
    ShutdownRequest: MessageTypeDefinition<_machine_ShutdownRequest, _machine_ShutdownRequest__Output>
    ShutdownResponse: MessageTypeDefinition<_machine_ShutdownResponse, _machine_ShutdownResponse__Output>
    SoftIRQStat: MessageTypeDefinition<_machine_SoftIRQStat, _machine_SoftIRQStat__Output>
    Stat: MessageTypeDefinition<_machine_Stat, _machine_Stat__Output>
    Stats: MessageTypeDefinition<_machine_Stats, _machine_Stats__Output>
    StatsRequest: MessageTypeDefinition<_machine_StatsRequest, _machine_StatsRequest__Output>
    StatsResponse: MessageTypeDefinition<_machine_StatsResponse, _machine_StatsResponse__Output>
    SystemStat: MessageTypeDefinition<_machine_SystemStat, _machine_SystemStat__Output>
    SystemStatResponse: MessageTypeDefinition<_machine_SystemStatResponse, _machine_SystemStatResponse__Output>
    TaskEvent: MessageTypeDefinition<_machine_TaskEvent, _machine_TaskEvent__Output>
    Upgrade: MessageTypeDefinition<_machine_Upgrade, _machine_Upgrade__Output>
    UpgradeRequest: MessageTypeDefinition<_machine_UpgradeRequest, _machine_UpgradeRequest__Output>
    UpgradeResponse: MessageTypeDefinition<_machine_UpgradeResponse, _machine_UpgradeResponse__Output>
    Version: MessageTypeDefinition<_machine_Version, _machine_Version__Output>
    VersionInfo: MessageTypeDefinition<_machine_VersionInfo, _machine_VersionInfo__Output>
    VersionResponse: MessageTypeDefinition<_machine_VersionResponse, _machine_VersionResponse__Output>
    Xattr: MessageTypeDefinition<_machine_Xattr, _machine_Xattr__Output>
  }
}

