package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/generate/secrets"
)

type secretsRequest struct {
	VersionContract string `json:"versionContract"`
}

// newSecrets does what `talosctl gen secrets` does.
func newSecrets(request secretsRequest) (any, error) {
	contract, err := config.ParseContractFromVersion(request.VersionContract)
	if err != nil {
		return nil, err
	}

	bundle, err := secrets.NewBundle(secrets.NewClock(), contract)
	if err != nil {
		return nil, err
	}

	out, err := yaml.Marshal(bundle)

	return string(out), err
}

// readSecrets reads a secrets bundle and checks it, as talosctl does with the file it is given.
func readSecrets(text string) (*secrets.Bundle, error) {
	bundle := &secrets.Bundle{Clock: secrets.NewClock()}

	if err := yaml.Unmarshal([]byte(text), bundle); err != nil {
		return nil, err
	}

	// v1.10 has no check of its own
	if checked, ok := any(bundle).(interface{ Validate() error }); ok {
		return bundle, checked.Validate()
	}

	return bundle, nil
}

type verifyRequest struct {
	// Secrets is the text of a secrets bundle.
	Secrets string `json:"secrets"`
}

// verify has each authority of a secrets bundle prove itself by Go's rules: it signs itself, may sign
// others, and its key is its own.
func verify(request verifyRequest) (any, error) {
	bundle, err := readSecrets(request.Secrets)
	if err != nil {
		return nil, err
	}

	for name, authority := range map[string]struct{ Crt, Key []byte }{
		"etcd":          {bundle.Certs.Etcd.Crt, bundle.Certs.Etcd.Key},
		"k8s":           {bundle.Certs.K8s.Crt, bundle.Certs.K8s.Key},
		"k8saggregator": {bundle.Certs.K8sAggregator.Crt, bundle.Certs.K8sAggregator.Key},
		"os":            {bundle.Certs.OS.Crt, bundle.Certs.OS.Key},
	} {
		if err := verifyAuthority(authority.Crt, authority.Key); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}

	if _, err := bundle.Certs.K8sServiceAccount.GetKey(); err != nil {
		return nil, fmt.Errorf("k8sserviceaccount: %w", err)
	}

	return true, nil
}

func verifyAuthority(crt, key []byte) error {
	pair, err := tls.X509KeyPair(crt, key)
	if err != nil {
		return err
	}

	certificate, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		return err
	}

	if err := certificate.CheckSignatureFrom(certificate); err != nil {
		return err
	}

	roots := x509.NewCertPool()
	roots.AddCert(certificate)

	_, err = certificate.Verify(x509.VerifyOptions{Roots: roots, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}})

	return err
}

// credentials are PEM in base64, as secrets bundles and talosconfigs hold it.
type credentials struct {
	Crt string `json:"crt"`
	Key string `json:"key"`
}

type handshakeRequest struct {
	// CA is what both sides trust, PEM in base64.
	CA         string      `json:"ca"`
	Server     credentials `json:"server"`
	Client     credentials `json:"client"`
	ServerName string      `json:"serverName"`
}

// handshake has a server and a client, both demanding a certificate, meet with Go's TLS. The result
// says what each saw of the other.
func handshake(request handshakeRequest) (any, error) {
	authority, err := base64.StdEncoding.DecodeString(request.CA)
	if err != nil {
		return nil, err
	}

	trusted := x509.NewCertPool()
	if !trusted.AppendCertsFromPEM(authority) {
		return nil, errors.New("the authority is no certificate")
	}

	serverPair, err := request.Server.pair()
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}

	clientPair, err := request.Client.pair()
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}

	// as Talos' API does: TLS 1.3, and nobody without a certificate
	here, there := net.Pipe()
	server := tls.Server(here, &tls.Config{
		Certificates: []tls.Certificate{serverPair},
		ClientAuth:   tls.RequireAndVerifyClientCert,
		ClientCAs:    trusted,
		MinVersion:   tls.VersionTLS13,
	})
	client := tls.Client(there, &tls.Config{
		Certificates: []tls.Certificate{clientPair},
		RootCAs:      trusted,
		ServerName:   request.ServerName,
		MinVersion:   tls.VersionTLS13,
	})

	deadline := time.Now().Add(10 * time.Second)
	if err := errors.Join(here.SetDeadline(deadline), there.SetDeadline(deadline)); err != nil {
		return nil, err
	}

	served := make(chan error, 1)

	go func() {
		err := server.Handshake()
		if err != nil {
			// whoever waits for the end of a handshake that failed would wait for long
			here.Close() //nolint:errcheck
		}

		served <- err
	}()

	clientErr := client.Handshake()
	if clientErr != nil {
		there.Close() //nolint:errcheck
	}

	if err := errors.Join(<-served, clientErr); err != nil {
		return nil, err
	}

	return map[string][]string{
		"clientOrganizations": server.ConnectionState().PeerCertificates[0].Subject.Organization,
		"serverNames":         client.ConnectionState().PeerCertificates[0].DNSNames,
	}, nil
}

func (pem credentials) pair() (tls.Certificate, error) {
	crt, crtErr := base64.StdEncoding.DecodeString(pem.Crt)
	key, keyErr := base64.StdEncoding.DecodeString(pem.Key)

	if err := errors.Join(crtErr, keyErr); err != nil {
		return tls.Certificate{}, err
	}

	return tls.X509KeyPair(crt, key)
}
