import Reprise
