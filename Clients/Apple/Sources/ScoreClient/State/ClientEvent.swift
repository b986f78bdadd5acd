// The events and the actions of the client.

public import LiveSurface

/// The result of a read of the credential store.
public enum CredentialReading: Sendable, Hashable {
    case found(String)
    case absent
    /// The store cannot be read now; the client waits, since a registration would make a second device.
    case unavailable
}

/// An event of the client.
public enum ClientEvent: Sendable, Hashable {
    /// The app has started.
    case launched
    /// The record was read, which could not be read at the start.
    case recordRead(ClientRecord)
    /// The record could not be stored.
    case recordNotStored
    case credentialRead(CredentialReading)
    /// A credential was stored, or could not be.
    case credentialStored(Bool)
    /// The app describes the device, at each start and after each change.
    case described(DeviceDescription)
    case enteredForeground
    case receivedBackgroundPush
    case networkReturned
    case followed(match: String, FollowChoices)
    case unfollowed(match: String)
    /// A token of the device; nil when it has none any more.
    case token(DeviceTokenName, String?)
    /// The activities that the system lists.
    case listed([ObservedActivity])
    case activity(ActivityEvent)
    /// The system has started an activity whose match was unfollowed meanwhile.
    case startAbandoned(activityID: String)
    /// The snapshots for widgets were read and stored as far as possible.
    case surfacesRefreshed
    /// An activity waits for the channel of a followed match.
    case channelMissing
    /// The credential is to be replaced.
    case rotationRequested
    /// The person erases the device.
    case erased
    case answered(id: Int, ClientResponse)
    case failed(id: Int, TransportError)
    case timer
}

extension ClientEvent {
    /// Whether only the revision that an activity shows has changed.
    var isRevision: Bool {
        if case .activity(.shows) = self { true } else { false }
    }
}

/// An action of the client, to be done in the given order.
public enum ClientAction: Sendable, Hashable {
    case readCredential
    case storeCredential(String)
    case removeCredential
    /// The record is to be stored before what follows is done.
    case save
    case send(id: Int, ClientRequest)
    /// A `timer` event is to follow when the uptime has reached the value.
    case wait(until: Duration)
    case listActivities
    /// The timestamp is that of the state's publication, in seconds since 1970.
    case updateActivity(id: String, LiveActivityAttributes.ContentState, staleAt: Int64, timestamp: Int64?)
    case endActivity(id: String)
    /// Reads these snapshots, stores them for the extensions and removes all others.
    case refreshSurfaces([SurfaceTarget])
    case notify(ClientNotice)
}

extension ClientAction {
    /// Whether it sends a request.
    var isRequest: Bool {
        if case .send = self { true } else { false }
    }
}

/// A message of the client to the app.
public enum ClientNotice: Sendable, Hashable {
    /// The reasons for which a follow is refused.
    public enum Refusal: Sendable, Hashable { case unknownMatch, matchRemoved, tooManyFollows, invalid }

    /// The followed matches have changed, for instance by another device or after the end of a match.
    case followsChanged
    /// A match is not followed; the person should see why.
    case followRefused(match: String, Refusal)
    /// The app is too old to write; its changes are kept.
    case updateRequired(minimumBuild: Int)
    /// Widgets and controls of these kinds have something new to draw: reload their timelines.
    case surfacesChanged(Set<SurfaceSnapshot.Kind>)
    /// The remote settings have changed.
    case settingsChanged(ClientSettings)
    /// The server refused a change; a defect of the app or of the server.
    case changeRefused(PendingChange, status: Int, slug: String?)
    /// The server refused the registration, which the client repeats once a minute.
    ///
    /// It is a defect of the app's description or of the server's settings, for instance a bundle id or an environment
    /// that no node serves. The same refusal is reported once until the description changes.
    case registrationRefused(status: Int, slug: String?)
    /// The device was registered, also again after the loss of its credential.
    case registered
    /// The device was erased at the server.
    case erased
}
