// Package gcloud stands where Temporal's archive in Google Cloud Storage would: an embedded server archives nothing.
package gcloud

import (
	"errors"

	"go.temporal.io/server/common/archiver"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/metrics"
	"go.temporal.io/server/common/persistence"
)

const URIScheme = "gs"

var errLeftOut = errors.New("the archive in Google Cloud Storage is not in this build of the server, which evenkeel made for itself")

func NewHistoryArchiver(persistence.ExecutionManager, log.Logger, metrics.Handler, *config.GstorageArchiver) (archiver.HistoryArchiver, error) {
	return nil, errLeftOut
}

func NewVisibilityArchiver(log.Logger, metrics.Handler, *config.GstorageArchiver) (archiver.VisibilityArchiver, error) {
	return nil, errLeftOut
}
